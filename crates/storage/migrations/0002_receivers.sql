-- What dispatch needs to know of an edge: its flags, and the class of the receiver where it is the same at every place and
-- not the class that has the member. A row that was there before says nothing; its file is linked again.
ALTER TABLE edges ADD COLUMN flags INTEGER NOT NULL DEFAULT 0;
ALTER TABLE edges ADD COLUMN receiver INTEGER;
