import assert from 'node:assert/strict';
import { findCompletionContext } from '../../../../src/core/configChecks/completionContext';

/** Returns the context at the `|` of a text. */
function contextAt(text: string) {
  const offset = text.indexOf('|');
  const context = findCompletionContext(text.replace('|', ''), offset);
  return context && { ...context, range: [context.range.offset, context.range.length] };
}

const subjectAt = (text: string) => contextAt(text)?.subject;

describe('findCompletionContext', () => {
  it('finds the IDs of fragments, also in short and in incomplete texts', () => {
    const fragment = { kind: 'fragment' };
    assert.deepEqual(subjectAt('{"fragments": ["|"]}'), fragment);
    assert.deepEqual(subjectAt('{"fragments": [{"id": |'), fragment);
    assert.deepEqual(subjectAt('{"fragment_mods": [{"fragment_id": "a|"}]}'), fragment);
    assert.equal(subjectAt('{"fragments": [{"prefix": "|"}]}'), undefined);
  });

  it('finds modules and their versions', () => {
    assert.deepEqual(subjectAt('{"modules": [{"module_id": "ac|me:arms"}]}'), { kind: 'module' });
    assert.deepEqual(subjectAt('{"modules": [{"module_id": "acme:arms", "version": "|"}]}'), {
      kind: 'version',
      moduleId: 'acme:arms',
    });
    assert.equal(subjectAt('{"modules": [{"version": "|"}]}'), undefined);
  });

  it('finds models with the API of their entry and the modules of the text', () => {
    const text =
      '{"modules": [{"module_id": "acme:arms"}, {"type": "local", "module_id": "acme:no"}],' +
      ' "components": [{"api": "rdk:component:arm", "model": "|"}]}';
    assert.deepEqual(contextAt(text)?.moduleIds, ['acme:arms']);
    assert.deepEqual(subjectAt(text), {
      kind: 'model',
      section: 'components',
      api: 'rdk:component:arm',
    });
    assert.deepEqual(subjectAt('{"services": [{"type": "vision", "model": "|"}]}'), {
      kind: 'model',
      section: 'services',
      api: 'rdk:service:vision',
    });
  });

  it('finds attributes and variables that are not written yet', () => {
    const attributes = '{"components": [{"model": "a:b:c", "attributes": {"pin": 1, "|"}}]}';
    const context = contextAt(attributes);
    assert.equal(context?.needsValue, true);
    assert.ok(context.subject.kind === 'attribute');
    assert.equal(context.subject.model, 'a:b:c');
    assert.ok(context.subject.written.has('pin'));
    const variables = '{"fragments": [{"id": "f", "version": "2", "variables": {"|sp" : 1}}]}';
    const variable = contextAt(variables);
    assert.equal(variable?.needsValue, false);
    assert.ok(variable.subject.kind === 'variable');
    assert.deepEqual([variable.subject.fragmentId, variable.subject.version], ['f', '2']);
  });

  it('replaces the complete string with its quotes', () => {
    assert.deepEqual(contextAt('{"fragments": ["a|b"]}')?.range, [15, 4]);
    assert.deepEqual(contextAt('{"fragments": [|]}')?.range, [15, 0]);
  });
});
