import assert from 'node:assert/strict';
import {
  absentCredential,
  isProof,
  readClientFirst,
  scramCredential,
  ScramExchange,
  serverSignature,
} from '../../../../src/service/mongo/scram';

const bytes = (text: string) => Buffer.from(text, 'base64');

describe('SCRAM-SHA-256', () => {
  // The exchange of RFC 7677, section 3.
  const CLIENT_FIRST = 'n=user,r=rOprNGfwEbeRWgbNEkqO';
  const NONCE = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
  const SALT = 'W22ZaJ0SNY7soEsUEjb6gQ==';
  const AUTH_MESSAGE = `${CLIENT_FIRST},r=${NONCE},s=${SALT},i=4096,c=biws,r=${NONCE}`;
  const PROOF = bytes('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=');

  it('proves and signs as its RFC specifies', async () => {
    const credential = await scramCredential('pencil', bytes(SALT), 4096);
    assert.equal(isProof(credential, AUTH_MESSAGE, PROOF), true);
    assert.equal(
      serverSignature(credential, AUTH_MESSAGE).toString('base64'),
      '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
    );
    assert.equal(isProof(credential, `${AUTH_MESSAGE} `, PROOF), false);
    assert.equal(isProof(credential, AUTH_MESSAGE, PROOF.subarray(1)), false);
    const other = await scramCredential('pencils', bytes(SALT), 4096);
    assert.equal(isProof(other, AUTH_MESSAGE, PROOF), false);
  });

  it('never repeats a salt, except for unknown users', async () => {
    const [one, other] = await Promise.all([scramCredential('pencil'), scramCredential('pencil')]);
    assert.notDeepEqual(one.salt, other.salt);
    const [absent, again] = [absentCredential('s', 'ada'), absentCredential('s', 'ada')];
    assert.deepEqual([absent.salt, absent.iterations], [again.salt, one.iterations]);
    assert.equal(absent.salt.byteLength, one.salt.byteLength);
    assert.notDeepEqual(absent.storedKey, again.storedKey);
    assert.notDeepEqual(absentCredential('s', 'eve').salt, absent.salt);
  });

  it('parses names that contain separators', () => {
    assert.deepEqual(readClientFirst('n,,n=a=2Cb=3Dc,r=x'), {
      userName: 'a,b=c',
      bare: 'n=a=2Cb=3Dc,r=x',
      nonce: 'x',
    });
    for (const text of ['', 'n,,n=a', 'y,,n=a,r=x', 'n,a=b,n=a,r=x', 'n,,n=a,r=', 'n,,n=,r=x']) {
      assert.equal(readClientFirst(text), undefined, text);
    }
  });

  it('accepts only the nonce that it sent', async () => {
    const exchange = new ScramExchange(
      { userName: 'user', bare: CLIENT_FIRST, nonce: 'rOprNGfwEbeRWgbNEkqO' },
      await scramCredential('pencil', bytes(SALT), 4096),
    );
    assert.match(exchange.serverFirst, /^r=rOprNGfwEbeRWgbNEkqO[^,]{20,},s=W22[^,]+,i=4096$/);
    const proof = PROOF.toString('base64');
    for (const text of ['', `c=biws,r=${NONCE},p=${proof}`, `c=eSws,r=${NONCE},p=${proof}`]) {
      assert.equal(exchange.serverFinal(text), undefined);
    }
  });
});
