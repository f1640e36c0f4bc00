### `history`: figures of machines over time.

history-title = Looks: { $looks }, machines: { $hosts }
history-changes = Changes
history-none = No figure has changed.
history-figures = Figures over time
history-line = newest looks
history-newest = newest
history-up = Since { $day }: { $figure } of { $name } is { $by } higher ({ $before } before, { $after } since).
history-down = Since { $day }: { $figure } of { $name } is { $by } lower ({ $before } before, { $after } since).
history-with = What changed with it: { $facts }.
history-read = A vertical line is a change of the figure, with the medians before and after it. A dotted line is a change of settings, listed below.
history-since = since
history-before = before
history-after = after
history-settings = settings that changed with it
