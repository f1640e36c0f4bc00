### `fleet`: many machines in one verdict.

fleet-title = Fleet of { $hosts }: { $slow } slow, { $suspects } suspect, { $out } left out
fleet-flagged = Slower than their peers
fleet-none = No machine is slower than its peers.
fleet-slow = slow
fleet-suspect = suspect
fleet-machine = machine
fleet-verdict = verdict
fleet-what = what is worse
fleet-alone = only this machine has
fleet-worse = { $figure } { $by } worse ({ $value }, peers { $peers })
fleet-differs = { $fact } { $own } (peers { $peers })
fleet-again = A suspect was slow at one look. Look again after two hours: what is slow again is called slow.
fleet-false = With looks dealt out to machines at random, { $share } of the machines would be called slow.
fleet-once = The share of false verdicts is not known: it takes two looks at least two hours apart at half of the machines or more.
fleet-groups = Kinds of machines
fleet-kind = { $key }: { $hosts } machines, { $fit } fit
fleet-figure = figure
fleet-modes = modes: median, machines, and the fact that divides them
fleet-left = Left out
