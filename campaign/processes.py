from campaign.case import Subject
SUBJECT = Subject(name="processes", about="", unit="x", quick=1, long=1, start=lambda f: lambda c: None)
