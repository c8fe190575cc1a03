# SPDX-License-Identifier: MIT
# The test bed's targets; tests/tests.mk includes this.
.PHONY: check-vm vm
check-vm: build/roce ## run the scenarios in guests with real kernels
	@tests/check vm

vm: build/roce ## open a shell in a guest with soft-RoCE up
	@tests/vm/shell
