import assert from 'node:assert/strict';
import { startDemoService } from '../../scripts/support/demoFleet';
import { withApp } from '../support/serviceClients';
import { storedKeys } from './support/browserStores';
import { ItemPage } from './support/itemPage';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { uiText } from './support/texts';

const organization = 'Norrvik Automation';
const address = 'https://docs.example.com/a%20b?q=a%26b';
/** Wire number of the public visibility. */
const PUBLIC = 2;

const markdown = `# How it reads

[The manual](${address}) and [a trap](command:workbench.action.closeWindow).

<script>document.body.replaceChildren()</script><img src="https://example.com/a.png" alt="a reader">
`;

/** A user finds a registry item, reads third-party text about it, and sees it change. */
describe('a registry page', () => {
  let journey: JourneyHost;
  let page: ItemPage;

  before(async () => {
    const service = await startDemoService();
    const { organizationId } = service.credentials;
    await withApp(service.credentials, async (app) => {
      const { moduleId } = await app.createModule({ organizationId, name: 'barcodes' });
      await app.updateModule({
        moduleId,
        visibility: PUBLIC,
        url: 'https://example.com/',
        entrypoint: 'run',
        description: 'Reads barcodes.',
        markdownDescription: markdown,
        models: [{ api: 'rdk:component:sensor', model: 'norrvik:barcodes:reader' }],
      });
    });
    journey = await startJourneyWith(service);
    page = new ItemPage(journey.vsCode.page);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(() => journey.close());

  it('is found by words of a model', async () => {
    const { workbench } = journey.vsCode;
    await workbench.run('fleetwright.registry.search');
    await workbench.quickInput.pick('barcodes', 'barcodes reader');
    await page.heading('barcodes').first().waitFor();
    await page.text('Reads barcodes.').waitFor();
  });

  it('shows untrusted text safely, and prompts before it opens a link', async () => {
    const { messages } = journey.vsCode.workbench;
    await page.text('Image: a reader, example.com').waitFor();
    assert.equal(await page.link('a trap').count(), 0);
    await page.text('a trap').click();
    await page.link('The manual').click();
    await messages.dialog.getByText(address).waitFor();
    await messages.pressDialogButton(uiText('cancel'));
  });

  it('copies the ID unchanged', async () => {
    await page.button(uiText('copyId')).click();
    const { page: window } = journey.vsCode;
    await window.waitForFunction(
      async () => (await navigator.clipboard.readText()) === 'norrvik:barcodes',
    );
  });

  it('follows changes in other parts of the window', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.expand(organization, uiText('modules'));
    await fleet.menu('barcodes', 'fleetwright.registryItem.changeDescription');
    await quickInput.enterText('Reads them all.');
    await page.text('Reads them all.').waitFor();
  });

  it('is restored after a reload', async () => {
    const { vsCode } = journey;
    await vsCode.writes(storedKeys.tabs, (text) => text.includes('norrvik:barcodes'));
    await vsCode.reload();
    await page.text('Reads them all.').waitFor();
  });
});
