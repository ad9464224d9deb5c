import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The notebook of queries in front. */
export class QueryNotebook {
  constructor(private readonly page: Page) {}

  /** The page that all outputs are in. */
  private get outputs(): FrameLocator {
    return this.page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** A cell by its place, from 0; one that is out of sight is none. */
  cell(place: number): Locator {
    return this.page.locator(`.notebookOverlay .monaco-list-row[data-index="${place}"]`);
  }

  /** A line of a cell's text by a piece of it. */
  line(place: number, text: string): Locator {
    return this.cell(place).locator('.view-line', { hasText: text }).first();
  }

  /** Stretches of a cell that are marked as wrong. */
  marked(place: number): Locator {
    return this.cell(place).locator('.squiggly-error').first();
  }

  /** What Markdown came to, wherever it stands. */
  heading(text: string): Locator {
    return this.outputs.getByRole('heading', { name: text });
  }

  /** Puts the cursor at the end of a line of a cell. */
  async edit(place: number, text: string): Promise<void> {
    await this.line(place, text).click();
    await this.page.keyboard.press('End');
  }

  /** Runs a cell in sight, once there is something that can run it. */
  async run(place: number): Promise<void> {
    const button = this.cell(place).locator('.run-button-container .codicon-notebook-execute');
    await button.first().click();
  }

  /** Stops what a cell in sight runs. */
  async stop(place: number): Promise<void> {
    await this.cell(place).locator('.run-button-container .codicon-notebook-stop').first().click();
  }

  /** The results below cells, those that are drawn. */
  get results(): Locator {
    return this.outputs.locator('.fleetwright-output');
  }

  /** A cell of a table by its whole text. */
  value(text: string): Locator {
    return this.outputs.getByRole('gridcell', { name: text, exact: true }).first();
  }

  /** A text of an output. */
  text(text: string | RegExp): Locator {
    return this.outputs.getByText(text).first();
  }

  /** A button of an output by its name. */
  button(name: string): Locator {
    return this.outputs.getByRole('button', { name, exact: true }).first();
  }
}
