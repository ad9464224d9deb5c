import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { extensions } from 'vscode';
import { MODEL_EXTENSION, MODEL_VENDOR } from '../../../scripts/support/modelExtension';
import { until } from './until';

const MODEL: vscode.LanguageModelChatInformation = {
  id: 'scripted',
  name: 'Scripted Model',
  family: 'scripted',
  version: '1',
  maxInputTokens: 1_000_000,
  maxOutputTokens: 100_000,
  capabilities: { toolCalling: true },
};

/** Maximum number of calls, because a script might never answer. */
const MAX_CALLS = 20;

export interface ToolRequest {
  readonly tool: string;
  readonly input: object;
}

/**
 * Behavior of a model: returns a call or, at the end, its answer to the user.
 * @param answers texts of the tools' answers so far
 */
export type Script = (answers: readonly string[]) => ToolRequest | string;

/**
 * An agent like those in the chat: sends the task and the tools to a language model through VS
 * Code, makes the calls that the model requests, and sends it the answers. The model follows a
 * script.
 */
export class ScriptedAgent implements Disposable {
  private constructor(
    private readonly api: typeof vscode,
    private readonly registration: vscode.Disposable,
    private readonly model: { script: Script },
  ) {}

  static async start(): Promise<ScriptedAgent> {
    const extension = extensions.getExtension<typeof vscode>(MODEL_EXTENSION);
    assert.ok(extension, 'The runner loads the extension for models.');
    const api = await extension.activate();
    const current: { script: Script } = { script: () => assert.fail('no task runs') };
    const registration = api.lm.registerLanguageModelChatProvider(MODEL_VENDOR, {
      provideLanguageModelChatInformation: () => [MODEL],
      provideLanguageModelChatResponse: (_model, messages, _options, progress) => {
        const next = current.script(readAnswers(api, messages));
        progress.report(
          typeof next === 'string'
            ? new api.LanguageModelTextPart(next)
            : new api.LanguageModelToolCallPart(`call-${messages.length}`, next.tool, next.input),
        );
        return Promise.resolve();
      },
      provideTokenCount: () => Promise.resolve(1),
    });
    return new ScriptedAgent(api, registration, current);
  }

  /** Runs a task; returns the model's answer and the names of the tools that it called. */
  async run(
    task: string,
    script: Script,
  ): Promise<{ readonly answer: string; readonly tools: readonly string[] }> {
    this.model.script = script;
    const { lm, LanguageModelChatMessage } = this.api;
    const model = await this.findModel();
    const tools = lm.tools.filter(({ tags }) => tags.includes('fleetwright'));
    const messages = [LanguageModelChatMessage.User(task)];
    const called: string[] = [];
    for (;;) {
      assert.ok(called.length < MAX_CALLS, called.join());
      const { stream } = await model.sendRequest(messages, { tools: [...tools] });
      const { text, calls } = await this.read(stream);
      if (calls.length === 0) return { answer: text, tools: called };
      called.push(...calls.map(({ name }) => name));
      messages.push(LanguageModelChatMessage.Assistant(calls));
      const results = await Promise.all(calls.map((call) => this.call(call)));
      messages.push(LanguageModelChatMessage.User(results));
    }
  }

  [Symbol.dispose](): void {
    this.registration.dispose();
  }

  /** VS Code lists a model some time after its registration. */
  private async findModel(): Promise<vscode.LanguageModelChat> {
    let models: readonly vscode.LanguageModelChat[] = [];
    await until('the scripted model', async () => {
      models = await this.api.lm.selectChatModels({ vendor: MODEL_VENDOR });
      return models.length > 0;
    });
    return models[0] ?? assert.fail();
  }

  private async read(stream: AsyncIterable<unknown>): Promise<{
    readonly text: string;
    readonly calls: vscode.LanguageModelToolCallPart[];
  }> {
    const { LanguageModelTextPart, LanguageModelToolCallPart } = this.api;
    let text = '';
    const calls: vscode.LanguageModelToolCallPart[] = [];
    for await (const part of stream) {
      if (part instanceof LanguageModelTextPart) text += part.value;
      if (part instanceof LanguageModelToolCallPart) calls.push(part);
    }
    return { text, calls };
  }

  private async call({
    callId,
    name,
    input,
  }: vscode.LanguageModelToolCallPart): Promise<vscode.LanguageModelToolResultPart> {
    const { content } = await this.api.lm.invokeTool(name, {
      input,
      toolInvocationToken: undefined,
    });
    return new this.api.LanguageModelToolResultPart(callId, content);
  }
}

function readAnswers(
  { LanguageModelTextPart, LanguageModelToolResultPart }: typeof vscode,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
): string[] {
  return messages
    .flatMap(({ content }) => [...content])
    .filter((part) => part instanceof LanguageModelToolResultPart)
    .map(({ content }) =>
      content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join(''),
    );
}
