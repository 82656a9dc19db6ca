package disk

// unwaiting is nothing in a browser, which has no pipes.
const unwaiting = 0
