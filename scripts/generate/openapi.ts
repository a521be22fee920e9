export async function openapiFile(): Promise<string> {
  return "{}\n";
}
