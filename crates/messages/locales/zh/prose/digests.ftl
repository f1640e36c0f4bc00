### Sentences of analyses that digests hold, also those of other versions.

digests-imported-results = 这些是其他工具的结果，从 { $n }导入：当时机器的占用情况和主频未知
digests-imported-other-machine = { $files }中有 { $n } 个与之前文件的机器描述矛盾：属于其他机器，或设置不同
digests-quota-used = CPU 配额只允许 { $n } 个 CPU 的时间，而用例同时使用 { $n2 }：内核可能曾将其限流
digests-only-some-cpus = { $n2 } 个在线 CPU 中只有 { $n } 个可用：关于“全部 CPU”的结论仅指这些 CPU，其余 CPU 上可能有其他程序运行
digests-steal-during = 测量期间虚拟化层窃取了 { $n } 的 CPU 时间
digests-steal-around = 运行前后虚拟化层窃取了 { $n } 的 CPU 时间
digests-runnable = 运行前后，{ $n } 上通常另有 { $n2 }等待 CPU
digests-swapped = 机器每秒换页 { $n } 页
digests-disturbed-samples = { $n2 } 个样本中有 { $n } 个（{ $n3 }）受干扰并被剔除：{ $why }
digests-cpus-moved = { $n2 } 个多线程用例中有 { $n } 个核间延时前后不一致：{ $why }
digests-drifted = 运行期间机器状态漂移：{ $what }
digests-core-shared = { $n } 的样本中有其他线程占用部分核心：实际得到 { $what }，而相关操作链的耗时变化在 { $n2 } 以内
digests-check-unfinished = 检查未完成：{ $n2 } 个用例中测量了 { $n } 个
digests-fleet-smt-off = 超线程 (SMT) 已关闭或有 CPU 离线：CPU 数为 { $n }，核数相同的机器为 { $n2 }
digests-core-unsteady = 核心主频不稳定：90 % 的时间在 { $n } 至 { $n2 } 之间，相差 { $n3 }
