import { isArgumentName, isServiceArgument } from '../../../core/model/scriptArgumentNames';
import { TrainingFailure } from '../trainingRunner';

/**
 * Returns the command line arguments of a script in the format of the public service:
 * `--name=value`.
 * @throws TrainingFailure that names the invalid argument.
 */
export function scriptArguments(
  files: { readonly datasetFile: string; readonly outputFolder: string },
  given: Readonly<Record<string, string>>,
): string[] {
  const wrong = Object.keys(given).find((name) => isServiceArgument(name) || !isArgumentName(name));
  if (wrong !== undefined) {
    throw new TrainingFailure(
      isServiceArgument(wrong)
        ? `The service sets the argument ${wrong}. Submit the job without it.`
        : `The argument ${JSON.stringify(wrong)} is not a valid argument name. Use letters, digits, _ and -, and begin with a letter or _.`,
    );
  }
  const nul = Object.entries(given).find(([, value]) => value.includes('\0'));
  if (nul) {
    throw new TrainingFailure(`The argument ${nul[0]} contains a null character. Remove it.`);
  }
  return [
    `--dataset_file=${files.datasetFile}`,
    `--model_output_directory=${files.outputFolder}`,
    ...Object.entries(given).map(([name, value]) => `--${name}=${value}`),
  ];
}
