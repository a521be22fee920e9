import { expect, test } from "vitest";
import { isPublic } from "./destination.ts";

/** First and last address of each block that is refused, and what stands just outside it where that is public. */
const BLOCKS: [first: string, last: string, ...outside: string[]][] = [
  ["0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"],
  ["192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"],
  ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"],
  ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0", "255.255.255.255", "223.255.255.255"],
  ["::", "::1"],
  ["::2", "64:ff9a:ffff::"],
  ["::ffff:7f00:1", "::ffff:127.255.255.255", "::ffff:8.8.8.8"],
  ["::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
  ["64:ff9b::10.0.0.0", "64:ff9b::10.255.255.255", "64:ff9b::8.8.8.8"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::", "100::ffff:ffff:ffff:ffff"],
  ["100:0:0:1::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7::", "2001:db9::"],
  ["2002:7f00:1::", "2002:7fff:ffff::", "2002:808:808::"],
  ["2002:c0a8::", "2002:c0a8:ffff:ffff:ffff:ffff:ffff:ffff", "2002:c0a7::", "2002:c0a9::"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:7fff::", "2620:4f:8001::"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
  ["4000::", "fbff::"],
  ["5f00::", "5f00:ffff::"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fd00:ec2::254", "fd00:ec2::254"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

test.each(BLOCKS)("%s to %s is private, what stands outside is public", (first, last, ...outside) => {
  expect([first, last].filter(isPublic)).toEqual([]);
  expect(outside.filter((address) => !isPublic(address))).toEqual([]);
});

test.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])(
  "%s is public",
  (address) => expect(isPublic(address)).toBe(true),
);

test.each([
  "",
  "fe80::1%eth0",
  "2606:4700::1%1",
  "8.8.8",
  "08.8.8.8",
  "8.8.8.8 ",
  "example.com",
  "0x08.8.8.8",
])("%j is no address, so it isn't public", (address) => expect(isPublic(address)).toBe(false));
