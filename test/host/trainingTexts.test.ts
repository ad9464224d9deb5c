import assert from 'node:assert/strict';
import { datasetId, organizationId, registryItemId, trainingJobId } from '../../src/core/model/ids';
import type { TrainingJob } from '../../src/core/model/trainingJob';
import { formatLog, getJobLabels } from '../../src/host/features/training/panel/trainingPanel';
import {
  describeMissingRequirement,
  describeNothingToLearn,
} from '../../src/host/features/trainingSubmit/missingRequirements';
import { itemNameProblem, packageVersionProblem } from '../../src/host/platform/text/nameProblems';

const job: TrainingJob = {
  id: trainingJobId('j'),
  organizationId: organizationId('o'),
  datasetId: datasetId('d'),
  modelName: 'cups',
  modelVersion: '1.0.0',
  task: 'unspecified',
  framework: 'unspecified',
  script: { itemId: registryItemId('acme:cups'), version: '1' },
  status: 'completed',
  error: undefined,
  createdAt: undefined,
  modifiedAt: undefined,
  startedAt: undefined,
  endedAt: undefined,
  modelPackageId: '',
  labels: [],
  container: '',
  arguments: { epochs: '2', note: 'two words' },
};

describe('training messages', () => {
  it('format the arguments of a script so that they can be entered again', () => {
    const facts = getJobLabels().facts(job, undefined);
    const argumentsFact = facts.find(({ name }) => name === 'Arguments');
    assert.equal(argumentsFact?.value, 'epochs=2 note="two words"');
  });

  it("name a script without the ID of the job's organization", () => {
    const training = (itemId: string) =>
      getJobLabels().training({ ...job, script: { itemId: registryItemId(itemId), version: '1' } });
    assert.equal(training('o:cups'), 'Script cups 1');
    assert.equal(training('acme:cups'), 'Script acme:cups 1');
  });

  it('contain the log of a job as text, and the number of omitted lines', () => {
    const line = { level: 'info', at: new Date(0), message: 'Epoch 1/2' };
    const text = formatLog('cups 1.0.0', { lines: [line], dropped: 1_200 });
    const head = ['cups 1.0.0', '', '1,200 earlier lines are not shown.', ''];
    assert.equal(text, [...head, '1970-01-01T00:00:00.000Z info Epoch 1/2', ''].join('\n'));
  });

  it('explain what to add if there is only one label', () => {
    const text = describeMissingRequirement({ kind: 'nothingElse' }, 'multiLabelClassification');
    assert.match(text, /that have none of these labels/);
  });

  it('format the missing counts naturally', () => {
    const getMessage = (kind: 'images' | 'labeled', missing: number) =>
      describeMissingRequirement({ kind, missing }, 'objectDetection');
    assert.equal(getMessage('images', 1), '1 more image is needed.');
    assert.equal(getMessage('images', 1_200), '1,200 more images are needed.');
    assert.equal(getMessage('labeled', 1), 'Draw boxes on 1 more image.');
    assert.equal(
      describeMissingRequirement({ kind: 'labeled', missing: 1 }, 'multiLabelClassification'),
      'Tag 1 more image.',
    );
  });

  it('request images first if a dataset has none', () => {
    assert.match(describeNothingToLearn('cups', { images: 0 }), /"cups" has no images\. Add/);
    assert.match(describeNothingToLearn('cups', { images: 3 }), /no labels for this task\. Tag/);
  });

  it('report the specific error of a version', () => {
    const getMessage = (version: string) => packageVersionProblem(version)?.message;
    assert.equal(getMessage('1.0.0_rc+1'), undefined);
    assert.equal(getMessage(''), 'Enter a version.');
    assert.match(getMessage('latest') ?? '', /"latest" is reserved for the most recent/);
    assert.match(getMessage('.1') ?? '', /must begin with a letter or a digit/);
    assert.match(getMessage('v'.repeat(101)) ?? '', /at most 100 .*underscores/);
  });

  it('include the maximum length of a name', () => {
    assert.equal(itemNameProblem('x'.repeat(200), false), undefined);
    assert.match(itemNameProblem('x'.repeat(201), false)?.message ?? '', /up to 200/);
  });
});
