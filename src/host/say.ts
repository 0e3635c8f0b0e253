/** Notifications and dialogs. What they say can hold recorded text: names of folders, files and columns. */
import * as vscode from "vscode";
import { noticeText } from "../view/native.ts";

/** @returns what was chosen, `undefined` for nothing */
export async function tell<T extends string>(text: string, ...choices: readonly T[]): Promise<T | undefined> {
  return vscode.window.showInformationMessage(noticeText(text), ...choices);
}

export async function warn<T extends string>(text: string, ...choices: readonly T[]): Promise<T | undefined> {
  return vscode.window.showWarningMessage(noticeText(text), ...choices);
}

export async function tellError(text: string): Promise<void> {
  await vscode.window.showErrorMessage(noticeText(text));
}

/** Waits for an answer; to leave it is always offered. @param detail lines below the question, as plain text */
export async function confirm(question: string, choice: string, detail?: string): Promise<boolean> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail }) };
  return (await vscode.window.showWarningMessage(noticeText(question), options, choice)) === choice;
}

/** Work that can be cancelled, in a notification. */
export function withNotice<T>(
  title: string,
  work: (
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    cancelled: vscode.CancellationToken,
  ) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title: noticeText(title), cancellable: true },
    (progress, cancelled) =>
      work(
        {
          report: ({ message, ...more }) =>
            progress.report(message === undefined ? more : { ...more, message: noticeText(message) }),
        },
        cancelled,
      ),
  );
}
