package main

import "attnatlas/web/browsertest"

func shippedIDs() []string { return browsertest.Shipped() }

func ownModels() []string { return browsertest.OwnModels() }
