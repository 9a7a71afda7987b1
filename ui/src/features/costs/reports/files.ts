import { request } from '@/api';
import type { VariablesOf } from '@/api';
import { host } from '@/host';
import { bytesOf } from '@/shared';
import { ReportFiles } from './queries';

export type ReportRequest = VariablesOf<typeof ReportFiles>['request'];

/** Saves the documents of a report that end so; their names. */
export async function saveFiles(asked: ReportRequest, ending: '.pdf' | '.xlsx' | '.csv'): Promise<string[]> {
  const answer = await request(ReportFiles, { request: asked });
  const files = answer.report_document.files.filter(({ name }) => name.endsWith(ending));
  for (const file of files) await host.saveFile(file.name, bytesOf(file.base64), file.media_type);
  return files.map(({ name }) => name);
}
