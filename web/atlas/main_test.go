package atlas_test

import (
	"testing"

	"attnatlas/web/browsertest"
)

func TestMain(m *testing.M) { browsertest.Main(m) }
