import { cancelProgress } from '../../../../../support/plainVscode';
import assert from 'node:assert/strict';
import type { PlannedChange } from '../../../../../../src/core/bulk/changePlan';
import type { MachineTarget } from '../../../../../../src/core/model/resourceTarget';
import {
  applyToMachines,
  type ApplyTools,
} from '../../../../../../src/host/features/bulk/apply/applyToMachines';
import type { BulkReport } from '../../../../../../src/host/platform/commands/bulkReports';
import { ScriptedPrompts } from '../../../../../host/support/scriptedPrompts';
import { type MemoryFleet, openMemoryFleet } from '../../../../../support/memoryFleet';
import { TestSessions } from '../../../../../support/testSessions';
import { waitUntil } from '../../../../../support/waitUntil';
import { organizationId } from '../../../../../../src/core/model/ids';

type Problems = Parameters<ApplyTools['previews']['confirmChanges']>[3];
type Mark = Problems extends ReadonlyMap<unknown, readonly (infer One)[]> ? One : never;

const CANCELED = 'Canceled. The merge patch was not applied to any config.';

describe('applyToMachines with a merge patch', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let prompts: ScriptedPrompts;
  let reports: BulkReport[];
  let tools: ApplyTools;
  let target: MachineTarget;
  let written: number;
  let patch: string;
  let questions: string[];
  let marked: readonly Mark[];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    prompts = new ScriptedPrompts();
    [reports, written, questions, marked] = [[], 0, [], []];
    patch = '{"network": {"bind_address": "0.0.0.0:8080"}}';
    const organization = organizationId(fleet.organizationId);
    const stores = sessions.stores();
    const hall = await stores.locations.create(organization, 'Hall', undefined);
    const machine = await stores.machines.create(hall.id, 'arm-1');
    target = {
      kind: 'machine',
      connectionId: sessions.connectionToFleet.id,
      name: 'arm-1',
      organizationId: organization,
      locationId: hall.id,
      machineId: machine,
    } as unknown as MachineTarget;
    tools = {
      sessions,
      patches: {
        promptForPatch: () => {
          written += 1;
          return Promise.resolve(patch);
        },
      },
      previews: {
        confirmChanges: (
          _: readonly PlannedChange[],
          question: string,
          __: string,
          problems: Problems,
        ) => {
          questions.push(question);
          marked = [...problems.values()].flat();
          return Promise.resolve(true);
        },
      },
      reports: {
        showReport: (report: BulkReport) => {
          reports.push(report);
          return Promise.resolve(undefined);
        },
      },
    } as unknown as ApplyTools;
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    sessions.dispose();
    await fleet.close();
  });

  /** Blocks the next read of a config until it is canceled. */
  function holdReading(): { readonly isReading: () => boolean } {
    const { parts } = sessions.stores();
    const original = parts.get.bind(parts);
    let reading = false;
    parts.get = (_, options) => {
      parts.get = original;
      reading = true;
      const { promise, reject } = Promise.withResolvers<never>();
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
      return promise;
    };
    return { isReading: () => reading };
  }

  it('continues with the same patch and parts after reading the configs was canceled', async () => {
    const { isReading } = holdReading();
    const applying = applyToMachines(tools, [target]);
    await prompts.pick('', 'Write a JSON Merge Patch');
    await prompts.acceptChecked('', 1);
    await Promise.race([waitUntil(isReading), applying]);
    cancelProgress();
    await prompts.message(CANCELED, 'Continue');
    await applying;
    assert.equal(written, 1);
    assert.deepEqual(
      reports.map(({ done }) => done),
      [['arm-1 › arm-1-main (My Fleet › Hall)']],
    );
  });

  it('reports the problems that the patch adds, and marks them in the preview', async () => {
    patch = '{"jobs": [{"name": "wave", "resource": "arm", "method": "Stop", "schedule": "soon"}]}';
    const applying = applyToMachines(tools, [target]);
    await prompts.pick('', 'Write a JSON Merge Patch');
    await prompts.acceptChecked('', 1);
    await applying;
    const [question = ''] = questions;
    assert.match(
      question,
      /The change adds 2 problems to arm-1 › arm-1-main\. The first one is: This config has no/,
    );
    assert.deepEqual(
      marked.map(({ code, range, severity }) => [code, range.start.line, severity]),
      [
        ['unknownResource', 1, 1],
        ['invalidSchedule', 1, 1],
      ],
    );
  });

  it('ends as canceled if the user does not continue', async () => {
    const applying = applyToMachines(tools, [target]);
    await prompts.pick('', 'Write a JSON Merge Patch');
    (await prompts.next('Select the machines to change')).leave();
    await prompts.message(CANCELED, 'Continue');
    (await prompts.next('Select the machines to change')).leave();
    const ended = assert.rejects(applying, { kind: 'canceled' });
    await prompts.message(CANCELED);
    await ended;
    assert.deepEqual(reports, []);
  });
});
