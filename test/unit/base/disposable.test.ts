import assert from 'node:assert/strict';
import { Disposable, DisposableSet, toDisposable } from '../../../src/base/disposable';

class Owner extends Disposable {
  own(name: string, log: string[]): void {
    this.register(toDisposable(() => log.push(name)));
  }
}

describe('Disposable', () => {
  it('disposes of what it owns once, in reverse order', () => {
    const log: string[] = [];
    const owner = new Owner();
    owner.own('first', log);
    owner.own('second', log);
    owner.dispose();
    owner.dispose();
    assert.deepEqual(log, ['second', 'first']);
  });

  it('disposes immediately of what is added after its disposal', () => {
    const log: string[] = [];
    const owner = new Owner();
    owner.dispose();
    owner.own('late', log);
    assert.deepEqual(log, ['late']);
  });

  it('disposes of a removed item and drops it', () => {
    const log: string[] = [];
    const set = new DisposableSet();
    const item = set.add({ dispose: () => log.push('item') });
    set.remove(item);
    set.dispose();
    assert.deepEqual(log, ['item']);
  });
});
