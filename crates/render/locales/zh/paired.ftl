### `compare -- A -- B`：两条命令成对比较。

paired-answer = 结论
paired-cpu-ratio = B 与 A 的 CPU 时间之比：{ $ratio }（95 %：{ $low } 至 { $high }）；不含等待和被抢占的时间。
paired-differs-faster = B 比 A 快 { $by }（95 %：{ $low } 至 { $high }）。
paired-differs-slower = B 比 A 慢 { $by }（95 %：{ $low } 至 { $high }）。
paired-same = A 与 B 相差不到 { $least }：B 与 A 之比为 { $ratio }（95 %：{ $low } 至 { $high }）。
paired-open = 尚不能断定是否相差 { $least }：B 与 A 之比为 { $ratio }（95 %：{ $low } 至 { $high }）。约需 { $needs } 秒：--budget { $needs }
paired-few = 尚不能断定：{ $pairs } 对太少，算不出区间。请加 --budget { $needs }
paired-turn = 共 { $pairs } 对，以随机顺序先后运行，用时 { $took } 秒。
paired-together = 共 { $pairs } 组，在 CPU { $a } 与 { $b } 上同时运行，每次运行后互换，用时 { $took } 秒。两者共享缓存和内存带宽；--order turn 使其单独运行。
paired-interrupted = 已中断：以下为中断前的结果。
paired-runs = 次数
paired-elapsed = 耗时
paired-rate = 速率
paired-cpu = CPU 时间
paired-resident = 内存峰值
paired-preempted = 被抢占
paired-ipc = IPC
paired-instructions = 指令数
