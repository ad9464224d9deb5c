import type { ModelIdentifiers } from './modelIdentifiers';
import type { ModuleApi } from './moduleApi';
import type { ModuleChoices } from './moduleChoices';

/** What templates have places for. Names that people chose go into code as quoted texts only. */
export function templateValues(
  { namespace, moduleName, modelName, api }: ModuleChoices,
  { className, constant, fileName }: ModelIdentifiers,
): Readonly<Record<string, string>> {
  const modelTriplet = `${namespace}:${moduleName}:${modelName}`;
  // Not the model, whose name is the API's unless another one is given: no "sensor sensor".
  const descriptionText = `The ${api.title} of ${moduleName}.`;
  return {
    moduleName,
    modelTriplet,
    descriptionText,
    className,
    fileName,
    modelConstant: constant,
    apiTitle: api.title,
    apiTriplet: api.triplet,
    packageName: quoted(moduleName.toLowerCase().replace(/^[^a-z0-9]+/, '') || 'module'),
    moduleId: quoted(`${namespace}:${moduleName}`),
    model: quoted(modelTriplet),
    api: quoted(api.triplet),
    description: quoted(descriptionText),
    modelDescription: quoted(descriptionText),
    exampleName: quoted(`${modelName}-1`),
    exampleAttributes: exampleAttributes(api),
    attributeRows: attributeRows(api),
  };
}

function exampleAttributes({ attributes }: ModuleApi): string {
  const examples = Object.entries(attributes).map(([name, { example }]) => [name, example]);
  return JSON.stringify(Object.fromEntries(examples), undefined, 2).replaceAll('\n', '\n  ');
}

function attributeRows({ attributes }: ModuleApi): string {
  const rows = Object.entries(attributes).map(([name, { says }]) => `| \`${name}\` | ${says} |`);
  return rows.length > 0 ? rows.join('\n') : '| – | It has none until you read some. |';
}

/** A text as JSON, TypeScript and Python write it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
