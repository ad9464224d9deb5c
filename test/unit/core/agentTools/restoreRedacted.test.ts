import assert from 'node:assert/strict';
import { restoreRedacted } from '../../../../src/core/agentTools/planDocument';
import { SecretRedactor } from '../../../../src/core/agentTools/redactSecrets';
import { showInvisible } from '../../../../src/core/agentTools/untrustedText';
import { presentJson } from '../../../../src/core/documents/jsonText';

const redactor = new SecretRedactor();

/** Returns a config as an agent reads it. */
function show(saved: string): string {
  return showInvisible(redactor.redactDocument(presentJson(saved)));
}

function restore(saved: string, edit: (visible: string) => string): unknown {
  return JSON.parse(restoreRedacted(saved, edit(show(saved)), redactor));
}

describe('restoreRedacted', () => {
  const camera = {
    name: 'cam',
    model: 'a:b:c',
    attributes: { password: 'hunter2-secret', note: 'a\u200bb' },
  };
  const arm = { name: 'arm', model: 'a:b:d' };
  const saved = JSON.stringify({ components: [camera, arm] });

  it('keeps the text of a proposal for a config without secrets', () => {
    const text = '{ "components":[] }';
    assert.equal(restoreRedacted('{"components": [{"name": "arm"}]}', text, redactor), text);
  });

  it('restores secrets and invisible characters, and applies all other changes', () => {
    const edited = restore(saved, (visible) => visible.replace('a:b:d', 'a:b:e'));
    assert.deepEqual(edited, { components: [camera, { ...arm, model: 'a:b:e' }] });
  });

  it('restores secrets of entries that have moved', () => {
    const edited = restore(saved, (visible) => {
      const { components } = JSON.parse(visible) as { readonly components: readonly object[] };
      return JSON.stringify({ components: components.toReversed() });
    }) as { readonly components: readonly unknown[] };
    assert.deepEqual(
      edited.components.find((one) => (one as { readonly name: string }).name === 'cam'),
      camera,
    );
  });

  it('accepts a new value for a secret, and its removal', () => {
    const replaced = restore(saved, (visible) => visible.replace('"[redacted]"', '"new-value"'));
    assert.deepEqual(replaced, {
      components: [{ ...camera, attributes: { ...camera.attributes, password: 'new-value' } }, arm],
    });
    const removed = restore(saved, () => JSON.stringify({ components: [arm] }));
    assert.deepEqual(removed, { components: [arm] });
  });

  it('rejects a placeholder in another place', () => {
    for (const edit of [
      (visible: string) => visible.replace('"cam"', '"copy"'),
      (visible: string) => visible.replace('"a:b:d"', '"[redacted]"'),
      (visible: string) => visible.replace('"note"', '"x": "[redacted]", "note"'),
    ]) {
      assert.throws(() => restore(saved, edit), { kind: 'invalid', message: /\[redacted\]/ });
    }
  });

  it('restores or rejects secrets in lists of arguments', () => {
    const config = JSON.stringify({ args: ['--password', 'hunter2-secret', '--port', '80'] });
    const same = restore(config, (visible) => visible.replace('"80"', '"81"'));
    assert.deepEqual(same, { args: ['--password', 'hunter2-secret', '--port', '81'] });
    assert.throws(
      () => restore(config, () => JSON.stringify({ args: ['--token', '[redacted]'] })),
      { kind: 'invalid' },
    );
  });

  it('keeps the digits of numbers', () => {
    const config = '{"password": "hunter2-secret", "n": 12345678901234567890, "m": 1}';
    const text = restoreRedacted(config, show(config).replace('"m": 1', '"m": 2'), redactor);
    assert.match(text, /12345678901234567890/);
    assert.match(text, /"m": 2/);
  });

  it('rejects a change after which the agent could read a secret', () => {
    const pairs = [
      { env: { name: 'TOKEN', value: 'hunter2-secret' } },
      { env: [{ id: '1', key: 'TOKEN', value: 'hunter2-secret' }] },
      { env: { name: 'TOKEN', value: 4711 } },
    ];
    for (const pair of pairs) {
      const config = JSON.stringify(pair);
      for (const name of ['"LABEL"', '"LABEL", "note": "x"']) {
        assert.throws(() => restore(config, (visible) => visible.replace('"TOKEN"', name)), {
          kind: 'invalid',
          message: /would make a \[redacted\] value readable/,
        });
      }
      const added = restore(config, (visible) => visible.replace('{', '{"n": "new", '));
      assert.deepEqual(added, { n: 'new', ...pair });
    }
  });

  it('rejects a placeholder in a config without secrets, and one with escapes', () => {
    const attempts: readonly (readonly [saved: string, proposed: string])[] = [
      ['{"a": 1}', '{"a": 1, "password": "[redacted]"}'],
      ['{"a": 1}', '{"a": 1, "[redacted]": 2}'],
      ['{"password": "hunter2-secret"}', String.raw`{"b": "\u005bredacted]"}`],
      ['{"password": "hunter2-secret"}', String.raw`{"b": {"\u005bredacted]": 1}}`],
      ['{"a": 1}', String.raw`{"a": "[re\u0064acted]"}`],
    ];
    for (const [config, proposed] of attempts) {
      assert.throws(() => restore(config, () => proposed), {
        kind: 'invalid',
        message: /A person must enter secrets/,
      });
    }
    assert.deepEqual(
      restore('{"a": "[redacted]"}', () => '{"a": "[redacted]", "b": 1}'),
      { a: '[redacted]', b: 1 },
    );
  });

  it('rejects text that is not JSON', () => {
    assert.throws(() => restoreRedacted(saved, '{', redactor), { kind: 'invalid' });
  });
});
