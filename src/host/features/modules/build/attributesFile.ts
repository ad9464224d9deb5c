import { isJsonObject } from '../../../../core/model/isJsonObject';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import { getErrorCode } from '../../../../base/errorCode';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';

const DIGEST_LENGTH = 16;

/** Document that contains a model's attributes for local runs. It is saved between runs. */
export class AttributesFile {
  readonly uri: vscode.Uri;

  /** @param folder the extension's storage folder, shared by all windows */
  constructor(
    folder: string,
    manifest: vscode.Uri,
    private readonly model: string,
  ) {
    const digest = createHash('sha256').update(`${manifest.toString()}\n${model}`).digest('hex');
    const path = join(folder, digest.slice(0, DIGEST_LENGTH), 'attributes.json');
    this.uri = vscode.Uri.file(path);
  }

  /**
   * Reads the attributes, which are empty before the first run.
   * @throws FleetError `invalid` if they are not a JSON object
   */
  async read(): Promise<JsonObject> {
    await this.create();
    const document = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.toString() === this.uri.toString(),
    );
    if (document?.isDirty === true) await document.save();
    try {
      // Reads the file directly, because VS Code detects changes by other programs only after a
      // delay.
      const value = JSON.parse(await readFile(this.uri.fsPath, 'utf8')) as JsonValue;
      if (isJsonObject(value)) return value;
    } catch {
      // Reported below.
    }
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        'The attributes of {0} are not a JSON object. Correct them and save the document.',
        toDisplayText(this.model),
      ),
    );
  }

  async open(): Promise<void> {
    await this.create();
    await vscode.window.showTextDocument(this.uri, { preview: false });
  }

  private async create(): Promise<void> {
    const { fsPath } = this.uri;
    await mkdir(dirname(fsPath), { recursive: true, mode: 0o700 });
    try {
      await writeFile(fsPath, '{}\n', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (getErrorCode(error) !== 'EEXIST') throw error;
    }
  }
}
