### `compare -- A -- B`: two commands in pairs.

paired-answer = Answer
paired-cpu-ratio = CPU time of B over A: { $ratio } (95 %: { $low } to { $high }); waiting and preemption do not count in it.
paired-differs-faster = B is { $by } faster than A (95 %: { $low } to { $high }).
paired-differs-slower = B is { $by } slower than A (95 %: { $low } to { $high }).
paired-same = A and B differ by less than { $least }: B over A is { $ratio } (95 %: { $low } to { $high }).
paired-open = Not decided whether they differ by { $least }: B over A is { $ratio } (95 %: { $low } to { $high }). About { $needs } s would decide it: --budget { $needs }
paired-few = Not decided: { $pairs } pairs are too few for an interval. Next: --budget { $needs }
paired-turn = { $pairs } pairs, one after the other in random order, in { $took } s.
paired-together = { $pairs } double pairs at the same time on CPUs { $a } and { $b }, exchanged after each run, in { $took } s. They share caches and memory bandwidth; --order turn runs each alone.
paired-interrupted = Interrupted: these are the pairs until then.
paired-runs = runs
paired-elapsed = elapsed
paired-rate = rate
paired-cpu = CPU time
paired-resident = peak memory
paired-preempted = preempted
paired-ipc = IPC
paired-instructions = instructions
