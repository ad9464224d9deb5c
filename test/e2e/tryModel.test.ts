import assert from 'node:assert/strict';
import { startDemoService } from '../../scripts/support/demoFleet';
import { PackageService, PackageType } from '../../src/gen/viam/app/packages/v1/packages_pb';
import { uploadPackage } from '../contract/packageFixture';
import { connectPublicClient, dataApi } from '../publicClient/publicClient';
import { withService } from '../support/serviceClients';
import { DataPanel } from './support/dataPanel';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';
import { untrainedModel } from '../support/untrainedModel';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const dataset = 'carton-inspection';
const model = 'carton-check';
const labels = ['damaged', 'intact'];
const UNLABELED = 3;

describe('trying a model on images', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let organizationId: string;
  let datasetId: string;

  before(async () => {
    const service = await startDemoService();
    ({ organizationId } = service.credentials);
    client = await connectPublicClient(service.credentials);
    const all = await client.dataClient.listDatasetsByOrganizationID(organizationId);
    datasetId = all.find(({ name }) => name === dataset)?.id ?? assert.fail('no dataset');
    const archive = await untrainedModel(labels);
    const modelPackage = { organizationId, name: model, version: '1.0.0' };
    await withService(service.credentials, PackageService, (packages) =>
      uploadPackage({ packages, organizationId }, { ...modelPackage, type: PackageType.ML_MODEL }, [
        archive,
      ]),
    );
    journey = await startJourneyWith(service);
    const unlabeled = (await items()).slice(0, UNLABELED).map(getId);
    await client.dataClient.removeTagsFromBinaryDataByIds(labels, unlabeled);
    const { fleet } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(uiText('datasets'));
    await fleet.menu(dataset, 'fleetwright.data.browse');
    await panel().item(0).waitFor();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  const panel = (): DataPanel => new DataPanel(journey.vsCode.page);

  /** Returns the images of the dataset, newest first, in the order of the panel. */
  async function items(): Promise<dataApi.BinaryData[]> {
    const { data } = await client.dataClient.binaryDataByFilter(
      new dataApi.Filter({ organizationIds: [organizationId], datasetId }),
      1_000,
      dataApi.Order.DESCENDING,
      '',
      false,
    );
    return data;
  }

  function getId({ metadata }: dataApi.BinaryData): string {
    return metadata?.binaryDataId ?? '';
  }

  /** Returns the labels of the newest images in the dataset. */
  async function newestLabels(): Promise<readonly (readonly string[])[]> {
    return (await items())
      .slice(0, UNLABELED)
      .map(({ metadata }) =>
        (metadata?.captureMetadata?.tags ?? []).filter((tag) => labels.includes(tag)),
      );
  }

  it('shows the predictions for an image, and stores nothing', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await panel().item(0).dblclick();
    await panel().button(uiText('tryModelOnImage')).click();
    await quickInput.pick(`${model} 1.0.0`);
    await panel()
      .role('heading', uiText('predictionsOf', `${model} 1.0.0`))
      .waitFor();
    await panel()
      .text(/^(damaged|intact): \d+(\.\d)?%$/)
      .first()
      .waitFor();
    assert.equal(
      await panel()
        .text(/^(damaged|intact): \d+(\.\d)?%$/)
        .count(),
      2,
    );
    assert.deepEqual(
      await newestLabels(),
      Array.from({ length: UNLABELED }, () => []),
    );
  });

  it('explains why other models cannot be tried', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await panel().button(uiText('tryModelOnImage')).click();
    await quickInput.pick('pallet-detector');
    await panel().text(uiText('cannotTry')).waitFor();
    await panel().button(uiText('close')).click();
    await panel().button(uiText('back')).click();
  });

  it('proposes labels for the unlabeled images, and saves the accepted ones', async () => {
    const { workbench } = journey.vsCode;
    const { quickInput, messages, fleet } = workbench;
    await panel().item(0).click();
    await panel().press('ControlOrMeta+a', 'p');
    await quickInput.pick(`${model} 1.0.0`);
    await panel()
      .text(uiText('proposals', UNLABELED, 0, 0))
      .waitFor();
    await panel().press('a', 'Escape');
    await messages.dialog.getByText(uiText('oneLabelUnsaved')).waitFor();
    await messages.pressDialogButton(uiText('cancel'));
    await until('the review has the keyboard again', () =>
      panel()
        .button(uiText('accept'))
        .filter({ hasNotText: uiText('acceptAll') })
        .evaluateAll((buttons) => buttons.some((button) => button === document.activeElement)),
    );
    await panel().press('a', 'r');
    const decided = panel().text(uiText('proposals', UNLABELED, 2, 1));
    await decided.waitFor();
    await workbench.runBuiltIn('View: Close Editor');
    await messages.pressButton(uiText('resumeReview'));
    await decided.waitFor();
    await workbench.runBuiltIn('View: Close Editor');
    await messages.waitForMessage(uiText('labelsUnsaved', undefined, 2));
    await fleet.open();
    await fleet.menu(dataset, 'fleetwright.data.browse');
    await panel()
      .text(uiText('labelsUnsaved', undefined, 2))
      .waitFor();
    await panel().button(uiText('resumeReview')).click();
    await decided.waitFor();
    await panel().button(uiText('saveAccepted', 2)).click();
    await messages.waitForMessage(
      `${uiText('saveLabels', uiText('imageCount', 2))}: ${uiText('doneCount', 2)}`,
    );
    const [first, second, third] = await newestLabels();
    assert.equal(first?.length, 1);
    assert.equal(second?.length, 1);
    assert.deepEqual(third, []);
    await panel()
      .text(uiText('proposals', 1, 0, 1))
      .waitFor();
    await panel().button(uiText('closeReview')).click();
    await panel().item(0).waitFor();
  });
});
