### `fleet`：多台机器，一份结论。

fleet-title = 共 { $hosts } 台机器：{ $slow } 台慢，{ $suspects } 台可疑，{ $out } 项未计入
fleet-flagged = 慢于同类的机器
fleet-none = 没有机器慢于同类。
fleet-slow = 慢
fleet-suspect = 可疑
fleet-machine = 机器
fleet-verdict = 结论
fleet-what = 差在哪里
fleet-alone = 仅此机器如此
fleet-worse = { $figure } 差 { $by }（{ $value }，同类 { $peers }）
fleet-differs = { $fact } 为 { $own }（同类为 { $peers }）
fleet-again = “可疑”指只有一次测得慢。请在两小时后再测：再次测得慢的才判为“慢”。
fleet-false = 若把各次测量随机分给机器，会有 { $share } 的机器被判为慢。
fleet-once = 误判比例未知：需要至少一半的机器有间隔两小时以上的两次测量。
fleet-groups = 机器的种类
fleet-kind = { $key }：{ $hosts } 台，{ $fit } 台适合测量
fleet-figure = 指标
fleet-modes = 各峰：中位数、台数、区分它们的配置
fleet-left = 未计入
