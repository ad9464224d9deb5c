import type { ResultStatus } from '../../../src/shared/query/results';
import assert from 'node:assert/strict';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';

/** The active query notebook. */
export class QueryNotebook {
  constructor(private readonly page: Page) {}

  /** The webview that contains all outputs. */
  private get outputs(): FrameLocator {
    return this.page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** Returns the page that contains all outputs. */
  async frame(): Promise<Frame> {
    const body = await this.outputs.locator('body').elementHandle();
    const frame = await body.ownerFrame();
    assert.ok(frame);
    return frame;
  }

  /** Returns a cell by its zero-based index; only visible cells exist. */
  cell(index: number): Locator {
    return this.page.locator(`.notebookOverlay .monaco-list-row[data-index="${index}"]`);
  }

  /** Returns a line of a cell by a substring of its text. */
  line(index: number, text: string): Locator {
    return this.cell(index).locator('.view-line', { hasText: text }).first();
  }

  /** Returns the ranges of a cell that are marked as errors. */
  marked(index: number): Locator {
    return this.cell(index).locator('.squiggly-error').first();
  }

  /** Returns a heading rendered from Markdown, anywhere in the notebook. */
  heading(text: string): Locator {
    return this.outputs.getByRole('heading', { name: text });
  }

  /** Moves the cursor to the end of a line of a cell. */
  async edit(index: number, text: string): Promise<void> {
    await this.line(index, text).click();
    await this.page.keyboard.press('End');
  }

  /** Runs a visible cell, once a kernel is available. */
  async run(index: number): Promise<void> {
    const button = this.cell(index).locator('.run-button-container .codicon-notebook-execute');
    await button.first().click();
  }

  /** Stops the run of a visible cell. */
  async stop(index: number): Promise<void> {
    await this.cell(index).locator('.run-button-container .codicon-notebook-stop').first().click();
  }

  /** The results that are drawn below cells. */
  get results(): Locator {
    return this.outputs.locator('.fleetwright-output');
  }

  /**
   * Returns the result once it is in a state, such as `complete`. @param rows number of its rows
   */
  result(state: ResultStatus['state'], rows?: number): Locator {
    const result = this.outputs.locator(`.results[data-state=${state}]`);
    const grid = `[role=grid][aria-rowcount="${String((rows ?? 0) + 1)}"]`;
    return rows === undefined ? result.first() : result.locator(grid).first();
  }

  /** Returns a cell of a table by its full text. */
  value(text: string): Locator {
    return this.outputs.getByRole('gridcell', { name: text, exact: true }).first();
  }

  /** Returns the element with this text in an output. */
  text(text: string | RegExp): Locator {
    return this.outputs.getByText(text).first();
  }

  /** Returns a button of an output by its name. */
  button(name: string): Locator {
    return this.outputs.getByRole('button', { name, exact: true }).first();
  }
}
