# SPDX-License-Identifier: MIT
# What is distributed: packages, an image, their contents. The top Makefile includes this; packaging/README.md describes each.

RELEASE := build/release
PACKAGED := $(or $(CROSS),$(MACHINE))
PACKAGE_VERSION := $(subst -,.,$(VERSION))# neither Debian nor RPM allows a dash in it
SBOM := $(RELEASE)/roce-$(PACKAGE_VERSION)-linux-$(PACKAGED).spdx.json
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION))

.PHONY: sbom release package-tar package-deb package-rpm package-oci
sbom: all ## what the static binary is made of, as SPDX 2.3, below build/release
	@mkdir -p $(RELEASE)
	@echo "  SBOM    $(SBOM)"
	$(Q)SOURCE_DATE_EPOCH=$(EPOCH) packaging/sbom $(ROCE) $(B)/roce.map $(DEPS) >$(SBOM).new && mv $(SBOM).new $(SBOM)

package-tar: sbom ## a tar of binary, manual, completions, contrib
package-deb: sbom ## roce.deb, linked with the system's libraries, and roce-static.deb (of ARCH=… the latter)
package-rpm: sbom ## roce.rpm, of the static binary
package-oci: sbom ## an OCI image of the static binary
package-tar package-deb package-rpm package-oci:
	@echo "  PACKAGE $(@:package-%=%) for $(PACKAGED)"
	$(Q)SOURCE_DATE_EPOCH=$(EPOCH) VERSION='$(VERSION)' PACKAGE_VERSION=$(PACKAGE_VERSION) ARCHITECTURE=$(PACKAGED) SBOM=$(SBOM) packaging/package $(@:package-%=%) $(RELEASE)

release: ## all packages for amd64 and arm64 and their SHA256SUMS, from a tag
	@packaging/release $(RELEASE)
