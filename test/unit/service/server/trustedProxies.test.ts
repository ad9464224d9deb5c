import assert from 'node:assert/strict';
import type { HttpRequest } from '../../../../src/service/server/http';
import { isNetwork, TrustedProxies } from '../../../../src/service/server/trustedProxies';

const PROXY = '10.0.0.7';
const proxies = new TrustedProxies(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);

function findClient(remoteAddress: string | undefined, forwarded?: string): string | undefined {
  const headers = { 'x-forwarded-for': forwarded };
  return proxies.findClient({ socket: { remoteAddress }, headers } as unknown as HttpRequest);
}

describe('TrustedProxies', () => {
  it('ignores the header of a client that is not a proxy', () => {
    assert.equal(findClient('203.0.113.9', '198.51.100.1'), '203.0.113.9');
    assert.equal(findClient(undefined, '198.51.100.1'), undefined);
  });

  it('finds the right-most address that is not a proxy', () => {
    assert.equal(findClient(PROXY, '198.51.100.1'), '198.51.100.1');
    assert.equal(findClient(PROXY, '1.1.1.1, 198.51.100.1, 10.1.2.3'), '198.51.100.1');
    assert.equal(findClient('192.0.2.1', '1.1.1.1,198.51.100.1'), '198.51.100.1');
    assert.equal(findClient(`::ffff:${PROXY}`, '198.51.100.1'), '198.51.100.1');
    assert.equal(findClient('2001:db8::5', '2001:0DB9:0::1'), '2001:db9::1');
  });

  it('uses the proxy itself without a header, and the first proxy if there are only proxies', () => {
    assert.equal(findClient(PROXY), PROXY);
    assert.equal(findClient(PROXY, ''), PROXY);
    assert.equal(findClient(PROXY, '10.9.9.9, 10.1.2.3'), '10.9.9.9');
  });

  it('does not look to the left of an entry that is not an address', () => {
    for (const invalid of ['unknown', '_hidden', '1.2.3', 'fe80::1%eth0', '1.1.1.1 2.2.2.2']) {
      assert.equal(findClient(PROXY, `1.1.1.1, ${invalid}`), PROXY, invalid);
      assert.equal(findClient(PROXY, `1.1.1.1, ${invalid}, 10.1.2.3`), '10.1.2.3', invalid);
    }
  });

  it('looks at a limited number of proxies', () => {
    const list = Array.from(
      { length: 1_000 },
      (_, index) => `10.${String(Math.floor(index / 100))}.1.${String(index % 100)}`,
    );
    assert.equal(
      findClient(PROXY, `198.51.100.1, ${list.slice(0, 31).join(', ')}`),
      '198.51.100.1',
    );
    assert.equal(findClient(PROXY, list.join(', ')), list.at(-32));
  });

  it('removes ports', () => {
    assert.equal(findClient(PROXY, '198.51.100.1:4711'), '198.51.100.1');
    assert.equal(findClient(PROXY, '[2001:db9::1]:4711'), '2001:db9::1');
    assert.equal(findClient(PROXY, '[2001:db9::1]'), '2001:db9::1');
  });

  it('trusts no one without networks', () => {
    assert.ok(!new TrustedProxies([]).includes(PROXY));
  });
});

describe('isNetwork', () => {
  it('accepts addresses and networks, and nothing else', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '::/128']) {
      assert.ok(isNetwork(text), text);
    }
    for (const text of ['', 'proxy', '10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/', '1/8']) {
      assert.ok(!isNetwork(text), text);
    }
  });
});
