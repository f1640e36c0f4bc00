### `history`：机器的指标随时间的变化。

history-title = 对 { $hosts } 台机器的 { $looks } 次测量
history-changes = 变化
history-none = 没有指标发生变化。
history-figures = 指标随时间的变化
history-line = 最近各次
history-newest = 最新
history-up = 自 { $day } 起，{ $name } 的 { $figure } 升高 { $by }（之前 { $before }，之后 { $after }）。
history-down = 自 { $day } 起，{ $name } 的 { $figure } 降低 { $by }（之前 { $before }，之后 { $after }）。
history-with = 同时改变的有：{ $facts }。
history-read = 实竖线为指标的变化点，粗线为变化前后的中位数；虚竖线为配置的变化，列在图下。
history-since = 起始
history-before = 之前
history-after = 之后
history-settings = 同时变化的配置
