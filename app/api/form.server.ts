/** The fields of a request; none when it has no form for a body, as of a script that needs none. */
export function formOf(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData());
}
