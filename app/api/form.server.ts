/** The fields of a request's form; empty when its body is no form, as scripts may send it. */
export function formOf(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData());
}
