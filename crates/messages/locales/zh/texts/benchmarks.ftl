## databases

db-not-measured = 未测量
gate-foreign = 其他程序占用 { $found }，上限为 { $most }
gate-steal = 虚拟化层窃取 { $found }，上限为 { $most }
gate-clients = 客户端的 CPU 使用率 { $found }，上限为 { $most }
gate-frequency = 主频变化 { $found }，上限为 { $most }
gate-spread = 各次重复相差 { $found }，上限为 { $most }
as-reference-moved = { $gate }，即参考样本的变化
gate-errors = { $transactions } 个事务重试十次后放弃
gate-heat = CPU 因过热降频 { $times } 次，不允许发生
gate-disk = 每个事件从磁盘读 { $reads } 页，上限 { $most }
gate-idle = 某客户端空闲时间占 { $idle }，至少应为 { $least }
gate-siblings = 留给客户端的只有服务端 CPU 的兄弟线程
gate-memory = 服务端内存有 { $share } 在其节点上，至少应为 { $least }
gate-shared = 没有给客户端留 CPU：与服务端共用
db-time-unseen = 此处看不到服务端的 CPU 时间
db-others-used = 期间其他程序占用了它的 CPU
db-nothing-else = 在没有其他程序运行时测量
db-not-pinned = 未绑核：它本可使用哪些 CPU 未知
db-siblings-slow = 客户端位于其 CPU 的兄弟线程上，使其变慢
db-neither = CPU 使用率 { $full }：既未满载也不空闲
db-cost-unmeasured = 未测量同样连接数下单核的事件代价
db-points-one = 在 --points 中包含 1，并用 --threads N，使每个测试点每 CPU 连接数相同
db-few-connections = CPU 使用率 { $full }，{ $connections } 个连接不足以使其满载
db-more-threads = --threads { $threads } 或更多
db-clients-unseen = CPU 未满载，未检查客户端能否继续加压
db-full = CPU 满载
db-full-dearer = CPU 满载，代价为 { $times } 倍：内存或自旋
db-not-full = CPU 未满载：锁
db-client-bound = 受限于客户端
db-disk-bound = 受限于磁盘
db-unknown = 未知：{ $why }
db-not-counting = { $verdict }（不计入）
db-placement-times = { $step }：{ $placement } 为 { $base } 的 { $times } 倍。
db-placement-same = { $step }：{ $placement } 与 { $base } 差异不显著（{ $times } 倍）。
db-connections = { $connections } 个连接
db-point = { $step }（{ $which }）
db-queries = 点查：{ $step }每秒查询 { $rate }。
db-queries-best = 点查：{ $step }每秒查询 { $rate }，{ $best }为 { $most }。
db-queries-efficiency = 点查：{ $step }每秒查询 { $rate }，{ $best }为 { $most }，效率 { $efficiency }（与 { $base }、{ $connections } 个连接相比）。
db-orders = TPC-C：{ $step }每分钟新订单 { $rate } (NOPM)。
db-orders-best = TPC-C：{ $step }每分钟新订单 { $rate } (NOPM)，{ $best }为 { $most }。
db-orders-efficiency = TPC-C：{ $step }每分钟新订单 { $rate } (NOPM)，{ $best }为 { $most }，效率 { $efficiency }（与 { $base }、{ $connections } 个连接相比）。
db-memory = { $point }：CPU 已满载，每个事件的代价为单核的 { $times } 倍：各核共享缓存行，或自旋等锁。
db-locks = { $point }：CPU 使用率 { $full }，客户端还能加压：等待的线程在等锁。
db-points-out = 剔除的点：{ $points }。
db-point-out = { $point }被剔除：{ $why }。
db-law = 扩展性定律：争用 { $contention }，一致性 { $coherency }。

## noise

noise-tlb = TLB shootdown
noise-nmi = NMI
noise-device = 设备中断
noise-hypervisor = 虚拟化层的中断
noise-other = 其他中断
noise-timer = 定时器中断
noise-reschedule = 重调度中断
noise-function-call = 函数调用中断
noise-irq-work = IRQ work 中断
noise-machine-check = 机器检查中断
noise-thermal = 温度中断
noise-of-kind = { $kind } 中断
noise-softirqs = 软中断
noise-preemption = 抢占
noise-quota = 配额限流
noise-rt = 实时限流
noise-migration = 迁移
noise-faults = 缺页
noise-steal = 窃取时间 (steal)
noise-smi = SMI 或虚拟化层
noise-stalls = 核心的短暂停顿
noise-more = 中断或其他

## scaling-runs

fixed-duration = 无论同时运行多少份，每次运行都耗时 { $time }：时长由命令自身决定，完成次数不能反映工作量
rate-regex = 用 --rate-regex 取其输出的结果数值
too-short = 每次运行耗时 { $time }，其中进程启动占比过大，无法下结论
longer-command = 使用耗时 { $time } 以上的命令，例如连续执行多次
repeats-noise = { $repeats } 次重复无法与噪声区分
more-repeats = --repeats 6，且没有一次失败
step-interleave = { $step }，内存交织
step-with-memory = { $step }，内存 { $memory }
law-needs-four = 扩展性定律需要四种核数，这里{ $counts ->
    [one] 只有 1 种
   *[other] 有 { $counts } 种
}
law-needs-four-own-cpus = 扩展性定律需要四种核数，不计客户端没有专用 CPU 的点，这里{ $counts ->
    [one] 只有 1 种
   *[other] 有 { $counts } 种
}
law-equal-cores = 扩展性定律适用于相同的核，而这里有多种核
one-kind-cores = 用 --cpus 选择同一种核
law-needs-repeats = 扩展性定律需要重复测量
limit-not-looked-for = 尚未查找
limit-none = { $cores } 个物理核上，每核达到单核的 { $share }：扩展性好，没有受限于共享资源。
limit-waiting = { $cores } 个物理核上，每核达到单核的 { $share }，CPU 使用率仅 { $full }：各份在相互等待或等待 I/O（锁），而不是等待 CPU。
limit-waiting-flat = { $cores } 个物理核上，每核达到单核的 { $share }，吞吐不再增长，CPU 使用率仅 { $full }：各份在相互等待或等待 I/O（锁），而不是等待 CPU。
limit-client = 客户端用了其 CPU 的 { $client }，服务端用了其 CPU 的 { $server }：瓶颈在客户端，服务端在全部物理核上的能力未知。给客户端更多 CPU（--client-cpus）即可判断。
limit-frequency = { $cores } 个物理核上，每核达到单核的 { $share }，主频为单核的 { $times } 倍：受限于功耗或温度。
limit-stalled = { $cores } 个物理核上，每核达到单核的 { $share }，每周期指令数 (IPC) 降至单核的 { $times } 倍：在等待内存或共享缓存。
limit-shared = { $cores } 个物理核上，每核达到单核的 { $share }：CPU 已满载，且无法用主频解释。它在等待各核共享的资源，多为内存；每周期指令数 (IPC) 可以判断，但此处无法计数。
limit-shared-flat = { $cores } 个物理核上，每核达到单核的 { $share }，吞吐不再增长：CPU 已满载，且无法用主频解释。它在等待各核共享的资源，多为内存；每周期指令数 (IPC) 可以判断，但此处无法计数。
no-step-result = 没有任何测试点有结果
server-one-core = 服务端只有一个物理核，其余归客户端：扩展性未知
four-cores = 需要四个以上的核（--cpus、--client-cpus）
one-point = 只测了一个测试点（{ $cores } 个物理核），还需要单核的测试点
scale-begins-with-one = cpulens scale -- COMMAND，它从单核开始
one-step = 扩展性测试只有一个测试点，只用一个物理核
scale-more-cpus = cpulens scale -- COMMAND，使用更多 CPU（--cpus、cpuset）
not-from-one = 扩展性测试不是从一个物理核开始
scale-from-one = 使用 cpulens scale，它从一个物理核开始
steps-with-result = 不用兄弟线程的 { $steps } 个测试点中只有 { $known } 个有结果
one-core-no-result = 单核没有结果
quota-not-full = CPU 配额只允许 { $quota } 个 CPU 的时间，{ $threads } 个 CPU 不可能满载
raise-quota = 提高配额（cgroup 的 cpu.max），或用 --cpus 选择同样多的 CPU
use-not-recorded = 未记录 CPU 使用率
loss-unexplained = CPU 已满载，主频和每周期指令数 (IPC) 都不能解释损失：各份可能执行了更多指令
others-took-meanwhile = { $cores } 核时其他程序或虚拟化层占用了 { $taken } 的机器
stop-else = 停止其他程序，或在较空闲时测量
scaling-unknown = 无法判断 { $workload } 的扩展性：{ $why }。
not-idle-beside = 除各份外机器并不空闲：某个测试点之后{ $why }。
remedy = 处理办法：{ $remedy }。
limit-undetermined = 无法判断瓶颈：{ $why }。
no-law = 未拟合扩展性定律：{ $why }。
runs-per-second = 每秒 { $number } 次运行
does-one = { $workload }：{ $step }达到 { $rate }。
does-both = { $workload }：{ $step }达到 { $rate }，{ $last }（{ $cores }）达到 { $most }，为 { $times } 倍。
server-client = { $step }时服务端用了其 CPU 的 { $server }，客户端用了其 CPU 的 { $client }：{ $verdict }。
server-limits = 瓶颈在服务端的 CPU
client-limits = 瓶颈在客户端，服务端还有余量
both-full = 两者都已满载，给客户端更多 CPU 后服务端或许还能提高
neither-full = 两者都未满载：在相互等待，或等待网络、磁盘
times-range = { $times } 倍（{ $low } 至 { $high }）
by-ipc-same = 按每周期指令数 (IPC)（每线程 { $own }，对比 { $with }）推算应为 { $times } 倍：主频和指令数没有变化
by-ipc-other = 按每周期指令数 (IPC)（每线程 { $own }，对比 { $with }）推算应为 { $times } 倍：主频或指令数有变化
full-stop = { $sentence }。
siblings-nothing = 超线程兄弟线程，{ $step }对比{ $with }：{ $times }，差异不显著；对该负载没有可测的收益。
siblings-harm = 超线程兄弟线程，{ $step }对比{ $with }：{ $times }；使该负载变慢。
siblings-gain = 超线程兄弟线程，{ $step }对比{ $with }：该负载为 { $times }。
siblings-unknown = 超线程兄弟线程，{ $step }对比{ $with }：无法判断其收益，因为{ $why }。
law-off = 扩展性定律偏差达 { $misfit }，不适用于这些测试点：其间有变化，例如跨越节点或插槽。
law-parameters = 扩展性定律：争用 { $contention }（{ $contention-low } 至 { $contention-high }），一致性 { $coherency }（{ $coherency-low } 至 { $coherency-high }）
law-no-knee = { $law }；没有拐点：一致性的区间包含 0。
law-knee = { $law }；吞吐在 { $cores } 个物理核（{ $low } 至 { $high }）时最高。
law-knee-beyond = { $law }；吞吐在 { $cores } 个物理核（{ $low } 至 { $high }）时最高，超出本次测试的核数。
unpinned-same = 在{ $step }上，就噪声所能分辨，该负载不绑核与一对一绑核相同（{ $times }）。
unpinned-better = 在{ $step }上，该负载不绑核为一对一绑核的 { $times }：不要绑核。
unpinned-worse = 在{ $step }上，该负载不绑核为一对一绑核的 { $times }：绑核有收益。
unpinned-unknown = 无法判断在{ $step }上绑核的收益：{ $why }。

## unixbench

scales = 可扩展
one-copy-slow = 单份在调度器放置的位置上较慢，或使 CPU 空闲
shares-nothing-falls = 不共享资源的负载也下降（{ $share }）：核心共享、主频或其他程序
kernel-share = 内核中的争用：{ $share } 的时间在内核
kernel-by-design = 内核中的争用：该测试只做系统调用
copies-share = 各份共享内核之外的资源：缓存或内存
one-copy-parallel = 单份已占用 { $used } 个 CPU
cannot-tell-others = 无法判断：其他程序占用了 { $taken } 的机器
cannot-tell-controls = 无法判断：需要同时有 dhry2reg 和 whetstone_double
index-of = 按 { $variant } 的方式，{ $copies } 份的指数为 { $index }。
index-of-placed = 按 { $variant } 的方式，{ $copies } 份（绑核方式 { $placement }）的指数为 { $index }。
index-of-partial = 按 { $variant } 的方式，{ $copies } 份的指数为 { $index }（部分：{ $all } 项测试中的 { $tests } 项）。
index-of-placed-partial = 按 { $variant } 的方式，{ $copies } 份（绑核方式 { $placement }）的指数为 { $index }（部分：{ $all } 项测试中的 { $tests } 项）。
control-slow = { $test } 用 { $copies } 份时每个 CPU 只达到单份的 { $share }，尽管它不共享任何资源：CPU 共享核心、主频下降，或被其他程序占用。先从这里查起，不要先归因于内核设置。
control-keeps = Dhrystone 和 Whetstone 用 { $copies } 份时保持 { $share }：核心和主频不是瓶颈，下降的测试受限于各份共享的资源。
kernel-held = 用 { $copies } 份时，以下测试受限于内核争用而非 CPU 慢：{ $tests }。测试时运行 perf top 或 perf lock 可定位。
passes-spread = { $copies } 份的各遍离散度超过 { $most }：{ $tests }。
others-took-tests = { $copies } 份的测试期间，其他程序或虚拟化层占用了至多 { $taken } 的机器；请在较空闲时重新测量。
copied-on-tmpfs = 文件复制在 tmpfs 上进行，比磁盘文件系统快约十分之一；可用 --scratch 指定其他目录。
execl-memory = execl 从内存启动程序，因为没有目录允许执行程序；原版启动文件，两者不可比。可用 --scratch 指定目录。
scores-in-part = { $copies } 份中只依据部分遍数的得分：{ $tests }；其余缺失：{ $why }。
parts-done = { $test }（{ $planned } 部分中的 { $done } 部分）
no-score = { $test }（{ $copies } 份）没有得分：{ $why }。
static-program = 使用了静态链接的程序，其数据不是 UnixBench 的
newer-glibc = glibc 2.29 或更新的机器

## identity

counts-no-numbers = 计数不是数
counts-do-not-fit = { $threads } 个 CPU 在 { $elapsed } 内容纳不下 { $cpu } 的 CPU 时间
counts-of-others = 其周期数是一个 CPU { $time } 内上限的 { $times } 倍（相当于频率 { $frequency }）：其他程序也被计入，如 perf stat -a
counts-not-all-time = 其周期数相当于频率 { $frequency }：并非全部时间都被计数
counts-too-wide = 每周期 { $ipc } 条指令，超过任何核的退役能力

## limiter

evidence-cpus = 一组 CPU 的计数不属于某个程序，因此不判断瓶颈
evidence-on-cpu = { $elapsed } 中有 { $cpu } 在 CPU 上运行
evidence-gave-up = 为等待而让出 CPU { $times } 次
evidence-disk = { $faults } 次缺页等待了磁盘
evidence-no-cpu = 等待 CPU 的时间 { $waited }
evidence-kernel = 其 CPU 时间的 { $share } 在内核中
evidence-faults = 每秒 { $faults } 次缺页
evidence-slots = 发射槽中 { $retiring } 退役，{ $speculation } 因错误推测损失，{ $frontend } 因前端，{ $backend } 因后端
evidence-waited-data = { $memory } 的发射槽或周期在等待数据
evidence-only-data = 只有 { $memory } 的发射槽或周期在等待数据
evidence-units-or-data = 未计数等待的是执行单元还是数据
evidence-nothing-delivered = { $latency } 的发射槽处于前端没有输出的周期：在等待指令或其地址
evidence-mispredicted-slots = { $branches } 的发射槽因分支预测失败损失
evidence-stalled = 前端使其停顿 { $front } 的周期，后端 { $back }
evidence-only-cycles = 只有 { $memory } 的周期在等待数据
evidence-mispredicted = 每千条指令 { $branches } 次分支预测失败，按每次 { $each } 个周期约占其周期的 { $share }
evidence-misses = 命中 L2、末级缓存和内存的缺失若逐个发生，分别占其周期的 { $l2 }、{ $last } 和 { $memory }
evidence-little = 未计数停顿，而缺失能解释的很少
evidence-levels = 等待访存的停顿占其周期：来自 L2 { $l2 }，来自 L3 { $l3 }，来自内存 { $memory }
evidence-level-unknown = 未计数在等待哪一级
evidence-lines-unknown = 未计数来自内存的缓存行数
evidence-lines = 每个 CPU 从内存读取 { $rate }，按每行 { $time } 计约有 { $lines } 行在途

## program

event-uncounted = { $event } 未计数
nothing-executed = 计数期间没有执行任何指令

## quantities

modules-at = 内存条运行在 { $speed }
memory-bound-socket = 内存绑定到插槽
basis-assumed = { $grade }，假定误差 +/-{ $error }
