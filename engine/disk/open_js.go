package disk

// unwaiting is 0 in a browser, which has no pipes.
const unwaiting = 0
