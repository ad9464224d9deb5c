import assert from 'node:assert/strict';
import {
  argumentLine,
  readArguments,
} from '../../../../../src/core/training/submit/scriptArguments';

describe('arguments of a training script', () => {
  it('are parsed from the text of a user', () => {
    assert.deepEqual(readArguments('  epochs=10 --learning-rate=0.1  note="two words" empty= '), {
      arguments: { epochs: '10', 'learning-rate': '0.1', note: 'two words', empty: '' },
    });
    assert.deepEqual(readArguments(''), { arguments: {} });
  });

  it('report the first invalid word', () => {
    assert.deepEqual(readArguments('epochs 10'), { problem: { kind: 'form', word: 'epochs' } });
    for (const word of ['=10', '2x=1', 'a.b=1', '---a=1']) {
      assert.deepEqual(readArguments(`_seed=7 ${word}`), { problem: { kind: 'form', word } });
    }
    assert.deepEqual(readArguments('a=1 a=2'), { problem: { kind: 'repeated', name: 'a' } });
    assert.deepEqual(readArguments('--dataset_file=x'), {
      problem: { kind: 'ofService', name: 'dataset_file' },
    });
    assert.deepEqual(readArguments('note="open'), { problem: { kind: 'openQuote' } });
  });

  it('are parsed back unchanged with any characters', () => {
    const scriptArguments = {
      plain: '10',
      words: 'two words',
      quotes: 'say "yes"',
      slashes: 'C:\\data\\',
      lines: 'one\ntwo',
      none: '',
      kind: 'form',
    };
    assert.deepEqual(readArguments(argumentLine(scriptArguments)), { arguments: scriptArguments });
  });
});
