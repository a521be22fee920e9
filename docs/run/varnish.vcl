# Inkstone behind Varnish 7.1 or newer: /etc/varnish/default.vcl. Change the name and, if it is on another computer,
# the address of the server. A program in front of Varnish adds HTTPS. reverse-proxy.md explains it.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "3000";
    .connect_timeout = 5s;
    .first_byte_timeout = 60s;
}

sub vcl_recv {
    set req.http.Host = "community.example";
    unset req.http.X-Forwarded-Host;
    if (req.restarts == 0) {
        if (req.http.X-Request-Id !~ "^[\w-]{8,64}$") {
            set req.http.X-Request-Id = "varnish-" + std.time2integer(now, 0) + "-" + req.xid;
        }
        # Only what is fresh, unless the server fails: see vcl_deliver.
        set req.grace = 0s;
    } else {
        set req.grace = 1d;
    }

    if (req.url ~ "(?i)^/+metrics/*($|\?)") {
        return (synth(404));
    }

    std.collect(req.http.Cookie, "; ");
    # Past the cache goes what isn't a read, has a body, a key or a token, or comes from someone who is signed in.
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if ((req.http.Content-Length && req.http.Content-Length != "0") || req.http.Transfer-Encoding) {
        return (pass);
    }
    if (req.http.api-key || req.http.Authorization || req.http.health-check-token
        || req.http.Cookie ~ "(?i)(^|;\s*)(__Host-)?session=") {
        return (pass);
    }
    # No other cookie changes a response.
    unset req.http.Cookie;

    # The forms that the server has of an address. Only these get there, and each is kept by itself.
    if (req.http.Accept ~ "(?i)application/vnd\.forem\.api-v1\+json") {
        set req.http.Accept = "application/vnd.forem.api-v1+json";
    } else if (req.http.Accept ~ "(?i)application/vnd\.service\.api-v1\+json") {
        set req.http.Accept = "application/vnd.service.api-v1+json";
    } else if (req.http.Accept ~ "(?i)text/html") {
        set req.http.Accept = "text/html";
    } else if (req.http.Accept ~ "(?i)application/json") {
        set req.http.Accept = "application/json";
    } else {
        unset req.http.Accept;
    }
    return (hash);
}

sub vcl_backend_response {
    if (beresp.status >= 500) {
        # Varnish asks for a newer one than it has. A response would take the place of that; an error doesn't.
        if (!bereq.uncacheable && bereq.http.If-None-Match) {
            return (error(503));
        }
        set beresp.uncacheable = true;
        set beresp.ttl = 0s;
        return (deliver);
    }
    set beresp.grace = 0s;
    if (beresp.http.CDN-Cache-Control ~ "max-age=" && !beresp.http.Set-Cookie && !bereq.uncacheable) {
        set beresp.ttl = std.duration(
            regsub(beresp.http.CDN-Cache-Control, "^.*max-age=(\d+).*$", "\1s"), 0s);
        set beresp.grace = std.duration(
            regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
        return (deliver);
    }
    # Varnish would keep it for two minutes.
    if (!beresp.http.Cache-Control) {
        set beresp.http.Cache-Control = "no-store";
    }
}

sub vcl_backend_error {
    if (bereq.is_bgfetch) {
        return (abandon);
    }
    # Those who wait for it try by themselves.
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    set beresp.keep = 0s;
    set beresp.http.Content-Type = "application/json; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "5";
    set beresp.body = {"{"error":"service unavailable","status":503}"};
    if (!bereq.uncacheable && bereq.http.If-None-Match) {
        set beresp.http.X-Kept = "1";
    }
    return (deliver);
}

sub vcl_deliver {
    # The server fails, so the second try takes what has expired.
    if (resp.http.X-Kept && req.restarts == 0) {
        return (restart);
    }
    unset resp.http.X-Kept;
    unset resp.http.CDN-Cache-Control;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    set resp.http.X-Request-Id = req.http.X-Request-Id;
}

sub vcl_synth {
    set resp.http.Content-Type = "application/json; charset=utf-8";
    set resp.http.Cache-Control = "no-store";
    set resp.body = {"{"error":""} + resp.reason.lower() + {"","status":"} + resp.status + "}";
    return (deliver);
}
