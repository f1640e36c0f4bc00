### Sentences of analyses that digests hold, also those of other versions.

digests-imported-results = These are results of other tools, imported from { $n }: the load and the frequency of the machine while they ran are not known
digests-imported-other-machine = { $n } of { $files } contradict an earlier one about the machine: they are of another machine, or of other settings
digests-quota-used = A quota allows { $n } CPUs' worth of time, and cases used { $n2 } at once: the kernel may have paused them
digests-only-some-cpus = Only { $n } of { $n2 } online CPUs may be used: what is said of all CPUs is said of those, and others may run beside them
digests-steal-during = Steal time was { $n } of the CPU time while the cases ran
digests-steal-around = Steal time was { $n } of the CPU time before and after the run
digests-runnable = On { $n } as a rule { $n2 } besides ours wanted a CPU before and after the run
digests-swapped = The machine swapped { $n } pages a second
digests-disturbed-samples = { $n } of { $n2 } samples ({ $n3 }) were disturbed and left out: { $why }
digests-cpus-moved = In { $n } of { $n2 } cases with several threads the CPUs were not equally fast together all the time: { $why }
digests-drifted = The reference samples drifted during the run: { $what }
digests-core-shared = Another thread had a part of the core in { $n } of the samples: delivered were { $what }, while chains of dependent operations took the same within { $n2 }
digests-check-unfinished = the check did not end: { $n } of { $n2 } cases were measured
digests-fleet-smt-off = SMT is off or CPUs are offline: CPUs { $n }, on machines with as many cores { $n2 }
digests-core-unsteady = The core frequency was not steady: for 90 % of the time it lay between { $n } and { $n2 }, { $n3 } apart
