"""Many tables of learning agents, in flat arrays."""
