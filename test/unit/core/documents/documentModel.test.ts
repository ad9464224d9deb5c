import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Snapshot, WriteRequest } from '../../../../src/core/documents/configSource';
import { DocumentSession } from '../../../../src/core/documents/documentSession';
import { presentJson } from '../../../../src/core/documents/jsonText';
import { type Content, DocumentWorld, type WorldOptions } from './support/documentWorld';
import { MemoryConfig } from './support/memoryConfig';

/**
 * Number of sequences per run; `FLEETWRIGHT_TEST_SEQUENCES` overrides it,
 * `FLEETWRIGHT_TEST_MODEL_SEED` selects other sequences.
 */
const SEQUENCES = Number(process.env.FLEETWRIGHT_TEST_SEQUENCES ?? 20_000);
const MAX_ACTS = 24;

type Act = (world: DocumentWorld) => void | Promise<void>;

/** Creates an action with a name that appears in the report of a failure. */
const act = (name: string, weight: number, run: Act): fc.WeightedArbitrary<NamedAct> => ({
  weight,
  arbitrary: fc.constant(new NamedAct(name, run)),
});

class NamedAct {
  constructor(
    private readonly name: string,
    readonly run: Act,
  ) {}

  toString(): string {
    return this.name;
  }

  [fc.toStringMethod](): string {
    return this.name;
  }
}

// The numbers 1, 2, and 3 have the same length; 10 has a different one.
const number = fc.constantFrom(1, 2, 3, 10);
const content: fc.Arbitrary<Content> = fc.record({ rpm: number, pin: number });
const named = <T>(
  weight: number,
  values: fc.Arbitrary<T>,
  name: (value: T) => string,
  run: (world: DocumentWorld, value: T) => void | Promise<void>,
): fc.WeightedArbitrary<NamedAct> => ({
  weight,
  arbitrary: values.map((value) => new NamedAct(name(value), (world) => run(world, value))),
});

const anyAct = fc.oneof(
  named(
    6,
    number,
    (rpm) => `rpm=${rpm}`,
    (world, rpm) => world.edit({ rpm }),
  ),
  named(
    2,
    number,
    (pin) => `pin=${pin}`,
    (world, pin) => world.edit({ pin }),
  ),
  act('reformat', 1, (world) => world.reformat()),
  act('save', 8, (world) => world.save(false)),
  act('save with format', 1, (world) => world.save(true)),
  act('auto save', 2, (world) => world.autoSave()),
  named(
    5,
    fc.integer({ min: 1, max: 3 }),
    (n) => `undo ${n}`,
    (world, n) => world.undo(n),
  ),
  named(
    3,
    fc.integer({ min: 1, max: 3 }),
    (n) => `redo ${n}`,
    (world, n) => world.redo(n),
  ),
  act('revert', 1, (world) => world.revert()),
  act('read by another program', 1, (world) => world.readFile()),
  act('focus', 2, (world) => world.focus()),
  act('overwrite', 2, (world) => world.overwrite()),
  act('change language', 1, (world) => world.changeLanguage()),
  named(
    3,
    fc.tuple(content, fc.boolean()),
    ([{ rpm, pin }, announce]) => `elsewhere ${rpm}/${pin}${announce ? ', announced' : ''}`,
    (world, [to, announce]) => world.changeElsewhere(to, announce),
  ),
  named(
    1,
    content,
    ({ rpm, pin }) => `elsewhere ${rpm}/${pin} and back`,
    (world, to) => world.changeBackAndForth(to),
  ),
  named(
    1,
    content,
    ({ rpm, pin }) => `before the next write ${rpm}/${pin}`,
    (world, to) => world.changeBeforeNextWrite(to),
  ),
  act('offline', 1, (world) => world.setOffline(true)),
  act('online', 2, (world) => world.setOffline(false)),
  act('delete', 1, (world) => world.setDeleted(true)),
  act('create again', 2, (world) => world.setDeleted(false)),
  act('lose answers', 1, (world) => world.setDropsResponses(true)),
  act('answer again', 2, (world) => world.setDropsResponses(false)),
  act('hold answers', 2, (world) => world.delayResponses()),
  act('hold answers from the next write', 1, (world) => world.delayResponsesAfterWrite()),
  act('release answers', 3, (world) => world.releaseResponses()),
  act('write storage', 1, (world) => world.flushStorage()),
  act('reload', 2, (world) => world.reload(true)),
  act('reload during calls', 2, (world) => world.reloadDuringCalls()),
  act('reload, storage lost', 1, (world) => world.reload(false)),
  act('restart host', 1, (world) => world.restartHost()),
  act('close and open', 1, (world) => world.closeAndOpen()),
);

const step = fc.tuple(anyAct, fc.boolean());

const options: fc.Arbitrary<WorldOptions> = fc.record({
  wireFormat: fc.constantFrom('text' as const, 'struct' as const),
  hasVersions: fc.boolean(),
  honorsVersion: fc.boolean(),
  reorders: fc.boolean(),
});

async function play(
  world: DocumentWorld,
  steps: readonly (readonly [NamedAct, boolean])[],
): Promise<void> {
  try {
    for (const [{ run }, settle] of steps) {
      await run(world);
      // If not settled, the next action starts while this one is in progress.
      if (settle) await world.runPendingWork();
    }
    await world.finish();
  } finally {
    world.dispose();
  }
}

const anySequence = fc.asyncProperty(
  options,
  fc.array(step, { minLength: 2, maxLength: MAX_ACTS, size: 'max' }),
  async (worldOptions, steps) => play(await DocumentWorld.open(worldOptions), steps),
);

const parameters = {
  numRuns: SEQUENCES,
  // Fixed seed, so that a run fails because of a change and not by chance.
  seed: Number(process.env.FLEETWRIGHT_TEST_MODEL_SEED ?? 1),
};

/** Replaces a method of an object while `run` is running. */
async function withMethod<T extends object, K extends keyof T>(
  prototype: T,
  name: K,
  replace: (original: T[K]) => T[K],
  run: () => Promise<void>,
): Promise<void> {
  const original = prototype[name];
  prototype[name] = replace(original);
  try {
    await run();
  } finally {
    prototype[name] = original;
  }
}

async function assertFound(): Promise<void> {
  const { failed } = await fc.check(anySequence, { ...parameters, endOnFailure: true });
  assert.equal(failed, true, 'no sequence found the mistake');
}

describe('DocumentFile in random sequences of actions by a user, VS Code, other clients, and the network', () => {
  it(`loses no save and never overwrites without approval in ${SEQUENCES} sequences`, async function () {
    this.timeout(600_000);
    await fc.assert(anySequence, parameters);
  });

  describe('with a bug, to prove that the sequences detect it', () => {
    it('moves the base back to an older text', () =>
      withMethod(
        DocumentSession.prototype,
        'noteClean',
        (original) =>
          function (this: DocumentSession, text: string): boolean {
            const known = rememberedStates(this);
            if (this.latest) known.set(presentJson(this.latest.text), this.latest);
            const isClean = original.call(this, text);
            const remembered = known.get(text);
            if (!isClean && remembered) this.restoreBase({ snapshot: remembered, unconfirmed: [] });
            return isClean || remembered !== undefined;
          },
        assertFound,
      ));

    it('reports "unchanged" without a read', () =>
      withMethod(
        DocumentSession.prototype,
        'save',
        (original) =>
          async function (this: DocumentSession, text: string) {
            const isBase = this.base && presentJson(this.base.text) === text;
            return isBase ? 'unchanged' : original.call(this, text);
          },
        assertFound,
      ));

    it('sends no version', () =>
      withMethod(
        MemoryConfig.prototype,
        'write',
        (original) =>
          function (this: MemoryConfig, request: WriteRequest) {
            return original.call(this, { ...request, lastKnownVersion: undefined });
          },
        assertFound,
      ));

    it('treats an approved overwrite as approval of every later text', () =>
      withMethod(
        DocumentSession.prototype,
        'approve',
        (original) =>
          function (this: DocumentSession, text: string, snapshot: Snapshot): void {
            original.call(this, text, snapshot);
            this.restoreBase({ snapshot, unconfirmed: [] });
          },
        assertFound,
      ));
  });
});

const remembered = new WeakMap<DocumentSession, Map<string, Snapshot>>();

function rememberedStates(session: DocumentSession): Map<string, Snapshot> {
  const known = remembered.get(session) ?? new Map<string, Snapshot>();
  remembered.set(session, known);
  return known;
}
