# A script that somebody wrote for kueuectl v0.19.2.
set -euo pipefail

kueuectl create resourceflavor script-flavor --node-labels pool=script,zone=a --tolerations 'spot=yes:NoSchedule,:PreferNoSchedule'
kueuectl create clusterqueue script-cq \
    --cohort script-cohort \
    --queuing-strategy StrictFIFO \
    --namespace-selector team=a \
    --preemption-within-cluster-queue LowerPriority \
    --nominal-quota 'script-flavor:cpu=9;memory=36Gi' \
    --borrowing-limit 'script-flavor:cpu=1;memory=1Gi'
kueuectl create lq script-lq -n team-a -c script-cq
error=$(kueuectl create lq other -c no-such-queue 2>&1) || echo "$error"

quota=$(kueuectl list cq --field-selector metadata.name=script-cq -o jsonpath='{.items[0].spec.resourceGroups[0].flavors[0].resources[?(@.name=="memory")].nominalQuota}')
echo "memory: $quota"
kueuectl list cq --active=false | awk 'NR == 1 || $1 == "script-cq" {print $1, $2}'
kueuectl list lq -c script-cq -n team-a | awk '{print $1, $2}'

kueuectl stop clusterqueue script-cq --dry-run=client | grep -c 'client dry run'
kueuectl stop clusterqueue script-cq --keep-already-running | cut -d' ' -f1
kueuectl resume clusterqueue script-cq -o jsonpath='{.spec.stopPolicy}{"\n"}'
kueuectl stop lq script-lq -n team-a -o name

kueuectl stop workload script -n team-a
kueuectl list workload -n team-a --status pending -o jsonpath='{range .items[*]}{.metadata.name}={.spec.active}{"\n"}{end}' | grep script
kueuectl resume workload script -n team-a
echo n | kueuectl delete workload script -n team-a || echo "declined: $?"
echo y | kueuectl delete workload script -n team-a
kueuectl delete cq script-cq
