#!/usr/bin/env bash
# Builds the kube-apiserver and etcd that tests/cluster/ runs against, once, into a cache folder, and prints
# the folder. Only the Go module proxy is needed. $KUBEBUILDER_ASSETS, if it holds both, is taken as it is.
set -euo pipefail

kubernetes=1.36.3
etcd=3.6.8
cache=${KUEUE_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kubectl-kueue-tests}
assets=$cache/apiserver-$kubernetes-etcd-$etcd

if [[ -n ${KUBEBUILDER_ASSETS:-} && -x $KUBEBUILDER_ASSETS/kube-apiserver && -x $KUBEBUILDER_ASSETS/etcd ]]; then
    echo "$KUBEBUILDER_ASSETS"
    exit
fi
command -v go >/dev/null || { echo "no Go toolchain to build kube-apiserver and etcd with" >&2; exit 3; }

mkdir -p "$assets"
exec 9>"$cache/lock"
command -v flock >/dev/null && flock 9 # two runs at once build once

build() { # NAME: from the module in the current folder
    [[ -x $assets/$1 ]] && return
    go mod tidy -e >/dev/null 2>&1
    CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags="$2" -o "$assets/$1.new" . >&2
    mv "$assets/$1.new" "$assets/$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOFLAGS=-mod=mod GOWORK=off

if [[ ! -x $assets/etcd ]]; then
    echo "building etcd $etcd (about a minute)" >&2
    mkdir "$work/etcd" && cd "$work/etcd"
    cat >go.mod <<MOD
module etcd

go 1.24

require go.etcd.io/etcd/server/v3 v$etcd
MOD
    cat >main.go <<'GO'
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
GO
    build etcd "-s -w"
fi

if [[ ! -x $assets/kube-apiserver ]]; then
    echo "building kube-apiserver $kubernetes (about ten minutes)" >&2
    mkdir "$work/apiserver" && cd "$work/apiserver"
    staging=v0.${kubernetes#1.}
    # Kubernetes replaces its staging modules by folders that the module proxy does not have: the released ones stand in.
    mod=$(cd "$work" && go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
    {
        printf 'module apiserver\n\n%s\n\ngodebug default=go1.26\n\nrequire k8s.io/kubernetes v%s\n\n' \
            "$(grep '^go ' "$mod")" "$kubernetes"
        sed -n "s|^\s*\(k8s.io/[a-z-]*\) => ./staging/.*|replace \1 => \1 $staging|p" "$mod"
    } >go.mod
    cat >main.go <<'GO'
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() { os.Exit(cli.Run(app.NewAPIServerCommand())) }
GO
    info=k8s.io/component-base/version
    build kube-apiserver "-s -w -X $info.gitVersion=v$kubernetes -X $info.gitMajor=1 -X $info.gitMinor=${kubernetes:2:2}"
fi
echo "$assets"
