package main

import "attnatlas/web/browsertest"

func shippedIDs() []string { return browsertest.Shipped() }

func shippedMechanisms() []string { return browsertest.ShippedMechanisms() }

func ownModels() []string { return browsertest.OwnModels() }
