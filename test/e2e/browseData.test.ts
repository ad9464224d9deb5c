import assert from 'node:assert/strict';
import { connectPublicClient, dataApi } from '../publicClient/publicClient';
import { DataPanel } from './support/dataPanel';
import { type JourneyHost, startJourney } from './support/journeyHost';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const camera = 'cell-overview';
const tag = 'checked-by-journey';
const label = 'journey-pallet';
const selected = 200;
const annotated = 5;

describe('browsing captured data', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let panel: DataPanel;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    panel = new DataPanel(journey.vsCode.page);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  /** Returns the number of the camera's images, as counted by another client. */
  async function counted(filter: Partial<dataApi.Filter>): Promise<number> {
    const requestFilter = new dataApi.Filter({ componentName: camera, ...filter });
    const { count } = await client.dataClient.binaryDataByFilter(
      requestFilter,
      1,
      undefined,
      undefined,
      false,
      true,
    );
    return Number(count);
  }

  const untagged = new dataApi.TagsFilter({ type: dataApi.TagsFilterType.UNTAGGED });
  const tagged = new dataApi.TagsFilter({ type: dataApi.TagsFilterType.MATCH_BY_OR, tags: [tag] });

  it('shows the number of items by kind', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.menu(organization, 'fleetwright.data.browse');
    await editors.activeTab(uiText('dataTab', organization)).waitFor();
    await panel.tab(uiText('pointClouds'), '3').waitFor();
    await panel.item(0).waitFor();
  });

  it('reports while the service is frozen that it does not respond, and recovers', async () => {
    const { pid } = journey.service;
    process.kill(pid, 'SIGSTOP');
    try {
      await panel.button(uiText('refresh')).click();
      await panel.silenceNotice.waitFor();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await panel.silenceNotice.waitFor({ state: 'hidden' });
    await panel.item(0).waitFor();
  });

  it('filters the untagged images of one camera', async () => {
    await panel.toggleFilter();
    await panel.getFilterInput(uiText('componentName')).fill(camera);
    await panel.press('Enter');
    await panel.filterChoice(uiText('tags')).selectOption('untagged');
    const count = await counted({ tagsFilter: untagged });
    assert.ok(count > selected);
    await panel.tab(uiText('images'), String(count)).waitFor();
    await panel.toggleFilter();
  });

  it('preserves the selection while another editor is active', async () => {
    const { workbench } = journey.vsCode;
    await panel.item(1).click();
    await panel.press('Shift+ArrowRight', 'Shift+ArrowRight');
    await panel.selected(uiText('selectedCount', 3)).waitFor();
    await workbench.runBuiltIn('File: New Untitled Text File');
    await workbench.editors.activeTab('Untitled-1').waitFor();
    await workbench.runBuiltIn('View: Close Editor');
    await panel.selected(uiText('selectedCount', 3)).waitFor();
    await panel.item(0).click();
  });

  it('tags two hundred images at the same time, and undoes it', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    await panel.item(0).click();
    await panel.press(...Array<string>(selected - 1).fill('Shift+ArrowRight'));
    await panel.selected(uiText('selectedCount', selected)).waitFor();
    await panel.press('t');
    await quickInput.title(uiText('addedTags', uiText('itemCount', selected))).waitFor();
    await quickInput.pick(tag);
    await until(
      'they are tagged',
      async () => (await counted({ tagsFilter: tagged })) === selected,
    );
    await messages.pressButton(uiText('undo'), tag);
    await until('they are not', async () => (await counted({ tagsFilter: tagged })) === 0);
  });

  it('annotates images with the keyboard', async () => {
    await panel.items.focus();
    await panel.press('Escape', 'Home', 'Enter');
    for (let image = 1; image <= annotated; image += 1) {
      await panel.position(new RegExp(`^${String(image)} of `)).waitFor();
      await panel.readyToDraw.waitFor();
      await panel.picture.focus();
      await panel.press('b', 'ArrowLeft', 'Shift+ArrowUp', 'Enter');
      await panel.role('combobox', uiText('label')).fill(label);
      await panel.press('Enter');
      await panel.text(uiText('saved')).waitFor();
      await panel.press('PageDown');
    }
    const { data } = await client.dataClient.binaryDataByFilter(
      new dataApi.Filter({ bboxLabels: [label] }),
      50,
      undefined,
      undefined,
      false,
    );
    const boxes = data.flatMap(({ metadata }) => metadata?.annotations?.bboxes ?? []);
    const drawn = boxes.filter((box) => box.label === label);
    assert.equal(data.length, annotated);
    assert.equal(drawn.length, annotated);
    for (const box of drawn) {
      assert.ok(box.xMinNormalized < box.xMaxNormalized && box.xMaxNormalized <= 1);
      assert.ok(box.yMinNormalized < box.yMaxNormalized && box.yMaxNormalized <= 1);
    }
    await panel.button(uiText('back')).click();
    await panel.item(0).waitFor();
  });

  it('opens a compressed point cloud', async () => {
    await panel.button(uiText('clearAll')).click();
    await panel.tab(uiText('pointClouds'), '3').click();
    const compressed = panel.items.getByRole('row').filter({ hasText: 'amr-01' });
    await compressed.first().dblclick();
    await panel
      .text(/^[\d,]+ points$/)
      .first()
      .waitFor();
    await panel.text('binary_compressed').waitFor();
    await panel.button(uiText('back')).click();
  });

  it('charts the readings of a sensor over time, also as numbers', async () => {
    await panel.tab(uiText('readings')).click();
    await panel.button(uiText('chart')).click();
    const columns = panel.role('checkbox', /charge|voltage|battery/i);
    await columns.first().check();
    await panel.button(uiText('close')).click();
    await panel.text(/^[\d,]+ points from /).waitFor();
    const table = panel.role('table', uiText('chartLineValues'));
    await table.getByRole('row').nth(1).waitFor();
  });
});
