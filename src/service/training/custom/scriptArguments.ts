import { TrainingFailure } from '../trainingRunner';

/** What the service itself tells scripts. */
const OWN: ReadonlySet<string> = new Set(['dataset_file', 'model_output_directory']);
const NAME = /^\w[\w.-]*$/;

/**
 * What a script is told on its command line, as the public service does it: `--name=value`.
 * @throws TrainingFailure that names the argument at fault.
 */
export function scriptArguments(
  files: { readonly datasetFile: string; readonly outputFolder: string },
  given: Readonly<Record<string, string>>,
): string[] {
  const wrong = Object.keys(given).find((name) => OWN.has(name) || !NAME.test(name));
  if (wrong !== undefined) {
    throw new TrainingFailure(
      OWN.has(wrong)
        ? `The argument ${wrong} is given by the service: submit the job without it.`
        : `The argument ${JSON.stringify(wrong)} has no name that a command line can say: use letters, digits, _, . and -.`,
    );
  }
  const nul = Object.entries(given).find(([, value]) => value.includes('\0'));
  if (nul) {
    throw new TrainingFailure(`The argument ${nul[0]} holds a character that ends texts.`);
  }
  return [
    `--dataset_file=${files.datasetFile}`,
    `--model_output_directory=${files.outputFolder}`,
    ...Object.entries(given).map(([name, value]) => `--${name}=${value}`),
  ];
}
