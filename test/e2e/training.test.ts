import assert from 'node:assert/strict';
import { connectPublicClient, dataApi } from '../publicClient/publicClient';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { ItemPage } from './support/itemPage';
import { RestartableService } from './support/restartableService';
import { findPublicPart } from './support/publicPart';
import { TrainingPanel } from './support/trainingPanel';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const dataset = 'carton-inspection';
const model = 'cartons';
const small = 'too few cartons';

const line = 'Line 1';
const machine = 'label-inspection-1';
const part = `${machine}-main`;

/** The config fields that this journey uses. */
interface PartConfig {
  readonly packages?: readonly object[];
  readonly services?: readonly { readonly name: string; readonly attributes: object }[];
}

/**
 * Time limit for a training job, which needs several seconds of processor time and competes with
 * other work.
 */
const TRAINING_LIMIT_MS = 600_000;

/** Numeric job statuses of the public client. */
const status = { pending: 1, running: 2, completed: 3, failed: 4, canceled: 5 } as const;

describe('training models', function () {
  this.timeout(TRAINING_LIMIT_MS + 60_000);
  let service: RestartableService;
  let journey: JourneyHost<RestartableService>;
  let client: PublicClient;
  let organizationId: string;

  before(async () => {
    service = await RestartableService.start();
    journey = await startJourneyWith(service);
    await signIn();
    const organizations = await client.appClient.listOrganizations();
    organizationId =
      organizations.find(({ name }) => name === organization)?.id ?? assert.fail('no organization');
    await journey.vsCode.workbench.fleet.open();
    await journey.vsCode.workbench.fleet.expand(uiText('datasets'));
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  async function signIn(): Promise<void> {
    client = await connectPublicClient(service.process.credentials);
  }

  /** Returns the status of the job that creates a version, according to the public client. */
  async function readStatus(version: string): Promise<number | undefined> {
    const jobs = await client.mlTrainingClient.listTrainingJobs(organizationId, 0);
    const job = jobs.find((one) => one.modelName === model && one.modelVersion === version);
    return job?.status;
  }

  function panel(): TrainingPanel {
    return new TrainingPanel(journey.vsCode.page);
  }

  /** Submits the selected job again, with the next version of its model. */
  async function submitAgain(version: string): Promise<void> {
    const { quickInput, messages } = journey.vsCode.workbench;
    await panel().button(uiText('submitAgain')).click();
    await quickInput.row(uiText('trainVersion', model, version)).waitFor();
    await quickInput.accept();
    await messages.pressButton(uiText('showTraining'), uiText('jobSubmitted', model, version));
    await panel().job(model, version).waitFor();
  }

  it('trains a model on a dataset, shows its progress, and adds it to the registry', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.menu(dataset, 'fleetwright.training.submit');
    await quickInput.pick(uiText('classificationSingleLabel'));
    await quickInput.selectedCount('2 Selected').waitFor();
    await quickInput.checkAll();
    await quickInput.selectedCount('0 Selected').waitFor();
    await quickInput.enter();
    await quickInput.title(uiText('labelsRequired')).waitFor();
    await quickInput.checkAll();
    await quickInput.selectedCount('2 Selected').waitFor();
    await quickInput.accept();
    await quickInput.pick(uiText('newModel'));
    await quickInput.enterText(model);
    await quickInput.row(uiText('trainVersion', model, '0.1.0')).waitFor();
    await quickInput.accept();
    await messages.pressButton(uiText('showTraining'), uiText('jobSubmitted', model, '0.1.0'));
    await panel().job(model, '0.1.0').waitFor();
    await panel().job(model, '0.1.0', uiText('completed')).waitFor({ timeout: TRAINING_LIMIT_MS });
    assert.equal(await readStatus('0.1.0'), status.completed);
    await messages.pressButton(uiText('showModel'), model);
    const page = new ItemPage(journey.vsCode.page);
    await page.heading(model).waitFor();
    await page.text(uiText('accuracy')).waitFor();
    await page.text('labels.txt').waitFor();
    await page.button(uiText('useOnMachine')).waitFor();
  });

  it('cancels a running job', async () => {
    const { workbench } = journey.vsCode;
    const { fleet, messages } = workbench;
    await fleet.menu(organization, 'fleetwright.training.show');
    await submitAgain('0.1.1');
    await panel().job(model, '0.1.1', uiText('running')).waitFor();
    // The command of the palette takes the job that is selected in the active panel.
    await workbench.run('fleetwright.training.cancel');
    await messages.pressDialogButton(uiText('stopTraining'));
    await panel().job(model, '0.1.1', uiText('canceled')).waitFor();
    assert.equal(await readStatus('0.1.1'), status.canceled);
  });

  it('continues a job whose service was killed', async () => {
    await submitAgain('0.1.2');
    await panel().job(model, '0.1.2', uiText('running')).waitFor();
    await service.kill();
    await service.startAgain();
    await signIn();
    // The job is pending until it restarts.
    const inProgress: readonly (number | undefined)[] = [status.pending, status.running];
    await until(
      'the job has ended',
      async () => !inProgress.includes(await readStatus('0.1.2')),
      TRAINING_LIMIT_MS,
    );
    assert.equal(await readStatus('0.1.2'), status.completed);
    await panel().job(model, '0.1.2', uiText('completed')).waitFor();
  });

  it('explains why a job failed, after it reported what is missing', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    const all = await client.dataClient.listDatasetsByOrganizationID(organizationId);
    const datasetId = all.find(({ name }) => name === dataset)?.id ?? '';
    const filter = new dataApi.Filter({ organizationIds: [organizationId], datasetId });
    const { data } = await client.dataClient.binaryDataByFilter(filter, 4);
    const id = await client.dataClient.createDataset(small, organizationId);
    const ids = data.map(({ metadata }) => metadata?.binaryDataId ?? '');
    await client.dataClient.addBinaryDataToDatasetByIds(ids, id);
    await fleet.open();
    await journey.vsCode.workbench.run('fleetwright.fleet.refresh');
    await fleet.menu(small, 'fleetwright.training.submit');
    await quickInput.pick(uiText('classificationSingleLabel'));
    await quickInput.accept();
    await quickInput.pick(model);
    await quickInput.row(uiText('notReady')).waitFor();
    await quickInput.accept();
    await messages.pressDialogButton(uiText('submitAnyway'));
    await messages.pressButton(uiText('showTraining'), uiText('jobSubmitted', model, '0.1.3'));
    await panel().job(model, '0.1.3', uiText('failed')).waitFor({ timeout: 60_000 });
    await panel().error.waitFor();
    assert.equal(await readStatus('0.1.3'), status.failed);
  });

  it('adds a model to a machine, with services that use it', async () => {
    const { fleet, quickInput, editors } = journey.vsCode.workbench;
    await fleet.expand(uiText('modelsAndScripts'));
    await fleet.menu('pallet-detector', 'fleetwright.model.deploy');
    await quickInput.pick(part);
    await quickInput.pick('1.1');
    await quickInput.pick('norrvik:onnx:cpu');
    await quickInput.pick(uiText('modelServiceAndVisionService'));
    await editors.dirtyTab.waitFor();
    await editors.goToText('pallet-detector-vision');
    await editors.saved();
    const path = { location: line, machine, part };
    const { id } = await findPublicPart(client.appClient, organizationId, path);
    const { configJson } = await client.appClient.getRobotPart(id);
    const { packages, services } = JSON.parse(configJson) as PartConfig;
    assert.deepEqual(packages, [
      {
        name: 'pallet-detector',
        package: `${organizationId}/pallet-detector`,
        type: 'ml_model',
        version: '1.1',
      },
    ]);
    assert.deepEqual(
      services?.slice(-2).map(({ name, attributes }) => ({ name, attributes })),
      [
        {
          name: 'pallet-detector-model',
          attributes: {
            model_path: '${packages.ml_model.pallet-detector}/pallet-detector.tflite',
            label_path: '${packages.ml_model.pallet-detector}/labels.txt',
          },
        },
        {
          name: 'pallet-detector-vision',
          attributes: { mlmodel_name: 'pallet-detector-model' },
        },
      ],
    );
  });
});
