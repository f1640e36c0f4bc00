### 摘要：报告的第一屏。语法见 projectfluent.org。键和参数在各语言中相同。

## 页眉

cpus = { $count } 个逻辑 CPU
vcpus = { $count } 个 vCPU
cores = { $count } 个物理核
sockets = { $count } 个插槽
nodes = { $count } 个 NUMA 节点
no-smt = 无超线程
unknown-machine = 型号未知的处理器
imported = 导入
published = 已发表
comma = ，
semicolon = ；
record = 记录
read-files = { $count } 个文件
read-facts = { $count } 项机器信息
read-cases = { $count } 个结果

## 环境检查

environment-pass = 环境检查：通过
environment-warn = 环境检查：警告
environment-fail = 环境检查：不合格
nothing-found = 测量未受干扰
unmeasured = 未做测量：仅为机器自身的描述。
cause-contention = 其他进程占用 CPU { $share }
cause-contention-unknown = 未测量其他进程争用
cause-steal = 窃取时间 (steal) { $share }
cause-runnable = 另有 { $count } 个任务等待运行
cause-swapping = 正在换页
cause-disturbed = { $share } 的样本受干扰
cause-quota = CPU 配额 { $cpus }
cause-cpuset = { $online } 个 CPU 中只有 { $usable } 个可用
cause-below-rated = 主频 { $measured }，标称 { $rated }
cause-unsteady = 主频不稳定，{ $low } 至 { $high }
cause-drift = 漂移：主频 { $frequency }，缓存延时 { $latency }
cause-moved = { $checked } 个用例中有 { $moved } 个发生 vCPU 迁移
cause-imported = 其他工具的结果
cause-warnings = { $count } 条导入警告

## 数据

column-median = 中位数
column-interval = 95 % 区间
column-cycles = 周期
or = 或
multimodal = * 多峰：没有单一值
figure-core_frequency = 核心频率
figure-vector_flops = 向量乘加，单核
figure-branch_miss = 分支预测失败代价
figure-l1_latency = L1 延时
figure-l2_latency = L2 延时
figure-l3_latency = L3 延时
figure-memory_latency = 内存延时，4 KiB 页
figure-memory_latency_huge_pages = 内存延时，大页
figure-loaded_latency = 负载下内存延时
figure-read_bandwidth_one_core = 读带宽，单核
figure-read_bandwidth_all_cores = 读带宽，{ $of } 个 CPU
figure-copy_bandwidth_all_cores = 复制带宽 (NT)，{ $of } 个 CPU
figure-core_to_core_latency = 核间延时，{ $of }
figure-core_to_core_latency_farthest = 核间延时，{ $of }
figure-remote_memory_latency = 跨 NUMA 延时，{ $of }
figure-remote_memory_bandwidth = 跨 NUMA 带宽，{ $of }
figure-minor_page_fault = 缺页开销
figure-tlb_shootdown = munmap，另有 { $of } 个线程运行
figure-system_call = 系统调用
figure-primes_one_core = sysbench 素数，单核
figure-primes_all_cores = sysbench 素数，{ $of } 个 CPU
figure-os_noise = 系统噪声，CPU { $of }
figure-longest_detour = 最长噪声间隙，CPU { $of }
figure-unixbench_index = UnixBench 指数，{ $of } 份
figure-unixbench_index_all_copies = UnixBench 指数，{ $of } 份
relation-siblings = 超线程兄弟
relation-cluster = 同一簇
relation-l3 = 同一 L3
relation-die = 同一 die
relation-node = 同一节点
relation-socket = 同一插槽
relation-other-socket = 跨插槽
note-at-rated = 与标称一致
note-below-rated = 低于标称 { $share }
note-above-rated = 高于标称 { $share }
note-of-peak = 峰值的 { $share }
note-each-gets = 每核 { $share }
note-less = 降低 { $share }
note-times-idle = 空载的 { $times } 倍
note-times-local = 本地的 { $times } 倍
note-of-local = 本地的 { $share }
note-round-trip = 往返 { $time }
note-on-4kib = 4 KiB 页 { $time }
note-per-cycle = 每周期 { $count }
note-times-one = 单核的 { $times } 倍
note-tests = 部分：{ $tests } 项
note-times-one-copy = 单份的 { $times } 倍

## 表格

table-scaling = 扩展性测试：{ $workload }
table-unixbench = UnixBench 各项（指数）
table-noise = 各 CPU 的系统噪声
table-database = { $engine } 上的 { $workload }
table-imported = 结果
table-machine = 机器
table-against = 与另一份记录对照
table-predictions = 预测，非测量
predicted-alone = 每项改动单独预测；范围随程序而不同。
table-placement = 绑核方案，依据机器描述
table-placement-measured = 绑核方案，依据测量
placement-left = 留给系统和中断：CPU { $cpus }
column-here = 本记录
column-other = 另一份
column-test = 验证命令
column-cpus = CPU
column-cores = 物理核
column-nodes = 内存节点
column-memory = 内存
times-one = { $times } 倍
times-range = { $low } 至 { $high } 倍
change-dimms = 内存速率 { $speed }
change-bound = 每个 NUMA 节点一个进程
change-smt_off = 每核一个线程
change-huge_pages = 大页
change-frequency = 核心频率 { $frequency }
change-cores = 负载运行在 { $cores } 个核上
part-base_frequency = 基频
part-boost_frequency = 睿频
part-governor = 调频策略
part-caches = 数据缓存
part-nodes = 各 NUMA 节点内存
part-distances = NUMA 距离，节点 0
part-modules = 内存条
part-huge_pages = 透明大页
part-balancing = NUMA 自动均衡
part-isolated = 隔离的 CPU
part-usable = 可用 CPU
part-quota = CPU 配额
part-container = 容器
part-vulnerable = 未缓解的漏洞
column-throughput = 吞吐
column-efficiency = 每核
column-ipc = IPC
column-frequency = 主频
column-copies = { $count } 份
column-times = 倍数
column-lost = 损失
column-detours = 间隙数
column-median-length = 中位数
column-longest = 最长
column-source = 主要来源
column-connections = 连接
column-p99 = p99
column-held-by = 瓶颈
column-value = 数值
more-rows = 另有 { $count } 行
excluded = - 已剔除，见 --section { $section }
label-cores-smt = { $cores } 个物理核，{ $threads } 个线程
label-cpu = CPU { $cpu }
label-unbound = 不绑核线程
limit-none = 可以扩展：每核达到单核的 { $share }。
limit-waiting = 各份在等待锁或 I/O：CPU 利用率 { $full }，每核达到单核的 { $share }。
limit-frequency = 主频降至单核时的 { $ratio } 倍；每核达到单核的 { $share }。
limit-stalled = 瓶颈是内存或共享缓存：IPC 降至 { $ratio } 倍；每核达到单核的 { $share }。
limit-shared = 瓶颈是共享资源，多为内存：每核达到单核的 { $share }。
source-interrupt-timer = 时钟中断
source-interrupt-device = 设备中断
source-interrupt-tlb = TLB 失效广播
source-interrupt-hypervisor = 虚拟化层中断
source-interrupt = 中断 ({ $kind })
source-softirq = 软中断
source-preemption = 抢占
source-quota = 配额限流
source-realtime = 实时限流
source-migration = 迁移
source-fault = 缺页中断
source-steal = 窃取时间
source-unexplained = 宿主机或固件
source-unattributed = 无法归因
held-scales = CPU，可扩展
held-memory = 内存，代价 { $times } 倍
held-locks = 锁，CPU { $share }
held-clients = 客户端
held-disk = 磁盘
held-unknown = 未知

## 发现、未知、后续命令

findings = 发现
no-findings = { $count ->
    [0] 无法检查任何一项。
   *[other] { $count } 项检查没有发现。
}
notes = 提示
lost-work = 代价
cost-up-to = 最多 { $high }
cost-range = { $low } 至 { $high }
cost-unknown = 未知
more-findings = 另有 { $count } 项发现：{ $command }
gaps = 未知
gap-skipped = 本机无法测量：{ $probes }
gap-failed = 失败：{ $probes }（{ $why }）
gap-not-reached = 未测到：{ $probes }
gap-rated = 标称频率
gap-memory-speed = 内存条速率
gap-memory-latency = 内存延时
gap-facts = { $count } 项信息无法读取
gap-rules = { $count } 项检查缺少数据
and-more = 等另外 { $count } 个
next = 后续

## 网页

contents = 目录
