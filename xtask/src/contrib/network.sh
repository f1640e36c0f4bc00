set -e
ip link set lo up
ip link add machines type bridge
ip address add 10.0.0.254/24 dev machines
ip link set machines up
for i in $(seq "$3"); do
    unshare --net --mount --uts bash -c "$MACHINE" "$i" "$1" "$2" &
    while [ /proc/$!/ns/net -ef /proc/self/ns/net ]; do sleep 0.01; done
    ip link add "machine$i" type veth peer name eth0 netns $!
    ip link set "machine$i" master machines up
done
"${@:4}"
