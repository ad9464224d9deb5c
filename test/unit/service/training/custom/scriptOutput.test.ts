import assert from 'node:assert/strict';
import {
  failureReason,
  ScriptOutput,
} from '../../../../../src/service/training/custom/customTrainer';

function readLevels(...lines: string[]): string[] {
  const output = new ScriptOutput();
  return lines.map((line) => output.read(line).level);
}

describe('the output of a training script', () => {
  it('contains errors and warnings where Python programs report them', () => {
    assert.deepEqual(
      readLevels(
        'ERROR:root:no images',
        'training.py: error: unrecognized arguments: --x',
        '2026-11-22 09:00:00,000 [ERROR] no images',
        'E0000 00:00:1732 cuda_dnn.cc:8310] Unable to register',
        'WARNING:tensorflow:no GPU',
        '/x/model/training.py:3: UserWarning: few images',
        'W1122 10:00:00 a.cc] few',
      ),
      ['error', 'error', 'error', 'error', 'warn', 'warn', 'warn'],
    );
  });

  it('contains no errors or warnings in similar text', () => {
    assert.deepEqual(
      readLevels('Epoch 1/3 - loss: 0.4', 'mean error 0.1', 'no warnings', 'TERRORS'),
      ['info', 'info', 'info', 'info'],
    );
  });

  it('provides the exception of a traceback as the reason', () => {
    const output = new ScriptOutput();
    const levels = [
      'Traceback (most recent call last):',
      '  File "training.py", line 1, in <module>',
      'ValueError: no images',
      'cleaning up',
    ].map((line) => output.read(line).level);
    assert.deepEqual(levels, ['error', 'error', 'error', 'info']);
    assert.equal(
      failureReason({ code: 1, signal: null }, output.reason),
      'The training script exited with code 1: ValueError: no images. See its log for details.',
    );
  });

  it('leads to advice about missing packages or memory', () => {
    const missing = "ModuleNotFoundError: No module named 'tensorflow.keras'";
    assert.match(failureReason({ code: 1, signal: null }, missing), /Install tensorflow there/);
    assert.match(failureReason({ code: 1, signal: null }, 'MemoryError'), /memory/);
    assert.match(
      failureReason({ code: null, signal: 'SIGKILL' }, undefined),
      /terminated by SIGKILL without an error message\. The computer might have run out of memory/,
    );
  });
});
