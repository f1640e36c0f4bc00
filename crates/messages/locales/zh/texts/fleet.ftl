## check

check-empty = 记录中没有检查所需的数据
check-limit-across-caches = { $verbatim-name } 设有限值，但测量时 vCPU 位于多个末级缓存上，即 { $verbatim-across }
check-limit-unmeasured = { $verbatim-name } 有限值但未测量
check-time-over = 时间已到；未测得：{ $missing }
check-unfinished = 检查未完成：{ $all } 个用例中测量了 { $measured } 个
check-incomplete = { $all } 个用例中有 { $missing } 个没有结果，第一个是 { $case }：{ $why }
throttle-cores = 检查期间核心过热降频 { $more } 次
throttle-packages = 检查期间插槽过热降频 { $more } 次
errors-corrected = 检查期间有 { $more } 次已纠正的内存错误
errors-uncorrected = 检查期间有 { $more } 次未纠正的内存错误

## group

key = { $model }，步进 { $stepping }，{ $sockets } 个插槽，{ $cores } 个物理核，{ $cpus } 个 CPU，{ $nodes } 个节点，虚拟化层 { $hypervisor }

## headline

statistic = 数值取各次测量中时间的第 5 百分位、速率的第 95 百分位的中位数，频率取均值，CPU 对取中间 90 % 的均值。报告显示中位数。
across-caches = { $figure }（CPU 跨 L3 缓存）
core-to-core = 核间往返
core-to-core-of = 核间往返，{ $relation }
system-call = 系统调用时间
latency-base = { $level } 延时（基本页）
latency-huge = { $level } 延时（大页）

## history

unfit = 环境检查不合格：{ $why }
no-time = 没有开始时间
time-unread = 无法读出其时间：{ $verbatim-started }

## loss

smt-off = 超线程 (SMT) 已关闭或有 CPU 离线：CPU 数为 { $cpus }，核数相同的机器为 { $others }
quota-claim = 配额只允许使用相当于 { $quota } 个 CPU 的时间；可见 CPU：{ $cpus } 个
thp-claim = 透明大页 (THP) 已关闭，大工作集要承担页表遍历的开销
thp-claim-process = 本进程及其子进程的透明大页 (THP) 已关闭

## modes

and-more = { $verbatim-first } 等，另有 { $more } 项

## profile

no-limit-profile = 配置文件中没有
worse-than = 比 { $verbatim-name } 差 5 %（警告）和 10 %（严重）
as-good = 与 { $verbatim-name } 相当
no-limit-record = { $verbatim-name } 没有该项
as-published = 按 { $verbatim-name } 的公开数据
no-limit-published = 没有公开数据
latency-published = { $verbatim-design } 的 { $verbatim-metric }：{ $verbatim-source }

## published

published-differs = 按 { $verbatim-name } 的公开数据（其 { $verbatim-parts }）
no-limit-like = { $verbatim-name } 没有同类数据
published-limit = { $what }：{ $value }（{ $basis }）；定义不同，故取 { $warn }（警告）和 { $critical }（严重）
published-latency = { $verbatim-name } 的内存延时（{ $by }）
published-frequency = { $verbatim-name } 的基准频率
published-read-bandwidth = { $verbatim-name } 的读带宽（{ $by }）
published-triad-bandwidth = { $verbatim-name } 的 triad 带宽（{ $by }）
published-least = 其厂商所述的最低值

## runs

clock-unread = { $verbatim-given }：无法读出其时间：{ $verbatim-started }
clock-unknown = { $verbatim-given }：没有开始时间
clock-wrong = { $verbatim-given }：其时钟为 { $verbatim-started }，与其他机器相差一年以上
same-run = 与 { $verbatim-same } 是同一次测量
never-answered = 没有测量：从未应答
unnamed = { $records } 份记录没有名称：各当作一台机器
name-of-machines = { $machines } 台机器都名为 { $verbatim-name }
name-of-kinds = { $verbatim-name } 对应 { $kinds } 种机器：两台主机同名，或硬件有变
renamed = { $verbatim-names }：一台机器改过名，或多台机器标识相同
at-once = { $verbatim-name }：前一次测量未结束，后一次就已开始，说明两次同时进行，或两台主机同名
one-boot = { $verbatim-names }：同一次启动，说明是一台机器有几个名称，或是其上的容器
boots-alternate = { $verbatim-name }：两次启动交替出现，说明两台主机同名
no-measurements = 不可能是测量值：{ $verbatim-figures }
other-name = 没有此名称的测量，而有名为 { $verbatim-name } 的
fact-alternates = { $verbatim-name }：{ $verbatim-fact } 在 { $verbatim-values } 之间来回变化，可能是两台主机同名

## tolerance

no-limit-peers = 没有同类机器有该项
no-run-at-all = 没有任何机器的运行记录
limits-few = 限值需要 { $needed } 台同类的正常机器：最大的一类 { $key } 有 { $machines } 台
healthy = { $machines } 台正常机器：{ $key }
no-limit-few = 只有 { $machines } 台同类机器有该项
no-limit-median = 其中位数不是正数
no-limit-apart = 同类机器相差过大：{ $deviation } %
limit-inside = { $machines } 台机器：中位数 { $median }，稳健偏差 { $deviation } %；此类机器有 99 % 在限内（95 % 置信度）
limit-floor = { $machines } 台机器：中位数 { $median }，稳健偏差 { $deviation } %；此类机器有 99 % 在 { $inside } % 之内（95 % 置信度），而限值至少离中位数 3 %
two-modes = 正常机器有两个峰：{ $low-machines } 台在 { $low }，{ $high-machines } 台在 { $high }；比较差的峰差 5 %（警告）和 10 %（严重）

## unite

by-system = { $machines } 台按操作系统的标识识别（同一镜像的克隆共用它）：没有读出产品 UUID
clones = { $verbatim-names }：操作系统标识相同的多台机器，如同一镜像的克隆

## verdict

left-out = { $verbatim-name }：{ $why }
cost-basis = 损失的工作量按一个只等待该变差指标的程序计；一半时间等待它的程序约损失一半。
few-unjudged = { $key }：合格的机器只有 { $n } 台，不足以互相比较；该处理器没有公开数据，未作判断
few-by-published = { $key }：合格的机器只有 { $n } 台，不足以互相比较；按处理器的公开数据判断的有：{ $verbatim-figures }
unfit-newest = 最新一次测量的环境检查不合格（{ $why }），改按 { $verbatim-started } 的一次判断
no-figure = 没有可用于比较机器的指标
other-unit = 其 { $verbatim-figure } 的单位与同类不同
several-kernels = { $key }：{ $verbatim-figure } 由不同版本的代码测得，不作比较
lacks = 缺少同类都有的 { $verbatim-figures }
fact-of-peers = { $verbatim-fact } { $verbatim-own }（同类 { $verbatim-peers }）
common-loss = { $key }：{ $machines } 台中有 { $count } 台存在 { $verbatim-loss }，因此不据此判为慢
