import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { machineMemory } from '../../../../src/service/processes/processGuard';

describe('the memory available to processes', () => {
  const usual = process.constrainedMemory.bind(process);

  afterEach(() => {
    process.constrainedMemory = usual;
  });

  it('is that of the container if it has a limit', () => {
    process.constrainedMemory = () => 1024;
    assert.equal(machineMemory(), 1024);
  });

  it('is that of the machine if there is no limit', () => {
    for (const limit of [0, 2 ** 64]) {
      process.constrainedMemory = () => limit;
      assert.equal(machineMemory(), totalmem());
    }
  });
});
