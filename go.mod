module attnatlas

go 1.26
