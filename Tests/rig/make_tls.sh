#!/bin/sh
# Makes a CA of our own and a certificate signed by it, for cameras that speak RTSPS.
#   make_tls.sh FOLDER [NAME…]      names and addresses of the camera, default: localhost 127.0.0.1
# Leaves ca.pem, cert.pem and key.pem in the folder.
set -eu
[ $# -ge 1 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
folder=$1
shift
[ $# -gt 0 ] || set -- localhost 127.0.0.1
mkdir -p "$folder"
cd "$folder"
names=
for name; do
    case $name in
    *[!0-9.]*) names=$names,DNS:$name ;;
    *) names=$names,IP:$name ;;
    esac
done
umask 077
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=Rig CA" \
    -keyout ca-key.pem -out ca.pem 2>openssl.log || { cat openssl.log >&2; exit 1; }
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
    -keyout key.pem -out request.pem 2>openssl.log || { cat openssl.log >&2; exit 1; }
printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "${names#,}" >extensions
openssl x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 30 -extfile extensions \
    -out cert.pem 2>openssl.log || { cat openssl.log >&2; exit 1; }
rm -f request.pem extensions openssl.log ca.srl
